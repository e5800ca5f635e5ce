# ng_embed(TARGET FILE SYMBOL): the bytes of FILE as `const unsigned char SYMBOL[]`, with a
# terminating NUL, and `const size_t SYMBOL_len` without it. Declared in FILE's own header.
function(ng_embed target file symbol)
    if(NOT TARGET ${target} OR NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
        return()
    endif()
    set(out ${CMAKE_BINARY_DIR}/generated/${symbol}.c)
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DIN=${CMAKE_SOURCE_DIR}/${file} -DOUT=${out} -DSYMBOL=${symbol}
                -P ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
        DEPENDS ${CMAKE_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()
