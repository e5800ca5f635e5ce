# ng_embed_scripts(TARGET FOLDER): the files FOLDER/*.lua as ng_shipped_scripts[] (lua/host/shipped.h).
function(ng_embed_scripts target folder)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.lua)
    list(SORT files)
    set(out ${CMAKE_BINARY_DIR}/generated/ng_shipped_scripts.c)
    string(REPLACE ";" "|" joined "${files}")
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DFILES=${joined} -DOUT=${out}
                -P ${CMAKE_SOURCE_DIR}/cmake/embed_scripts_file.cmake
        DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_scripts_file.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()
