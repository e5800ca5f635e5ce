# One interface target carries the warning set and the sanitizers for every library and test.
add_library(ng_warnings INTERFACE)
target_compile_options(ng_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Werror
    -Wshadow -Wconversion -Wvla -Wswitch-enum -Wformat=2 -Wmissing-prototypes
    -Wstrict-prototypes -Wold-style-definition -Wpointer-arith -Wundef -Wcast-qual
    -Wwrite-strings -Wnull-dereference)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ng_warnings INTERFACE -Wlogical-op -Wduplicated-cond -Wjump-misses-init
        -Wdouble-promotion) # clang's also speaks of NAN and INFINITY
    if(NG_SANITIZE)
        # With the sanitizers' extra branches gcc 12 reports null dereferences that cannot happen.
        target_compile_options(ng_warnings INTERFACE -Wno-null-dereference)
    endif()
endif()
if(NG_SANITIZE)
    target_compile_options(ng_warnings INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(ng_warnings INTERFACE -fsanitize=address,undefined)
else()
    target_compile_options(ng_warnings INTERFACE
        -fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()
