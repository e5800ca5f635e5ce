# ng_embed(TARGET SYMBOL FILE...): the bytes of all files in their order as `const unsigned char
# SYMBOL[]`, with a terminating NUL, and `const size_t SYMBOL_len` without it.
function(ng_embed target symbol)
    list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE files)
    set(out ${CMAKE_BINARY_DIR}/generated/${symbol}.c)
    string(REPLACE ";" "|" joined "${files}")
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DFILES=${joined} -DOUT=${out} -DSYMBOL=${symbol}
                -P ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
        DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()
