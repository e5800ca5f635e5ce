string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(rows "")
foreach(file ${files})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} symbol)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n    "
           bytes "${bytes}")
    string(APPEND arrays "static const char ${symbol}[] = {\n    ${bytes}0x00};\n\n")
    string(APPEND rows "    {\"${name}\", ${symbol}, sizeof ${symbol} - 1},\n")
endforeach()
file(WRITE ${OUT} "#include \"lua/host/shipped.h\"

${arrays}const struct ng_shipped_script ng_shipped_scripts[] = {
${rows}    {NULL, NULL, 0},
};
")
