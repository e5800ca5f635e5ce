# Tests that are no C unit tests: lints, end-to-end tests, fuzzers, benchmarks. A new pytest file in
# tests/e2e and a new fuzzer in tests/fuzz need no line here.

# Debian's own interpreter: another python3 may come first in PATH and cannot see Debian's modules.
find_program(DEBIAN_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT DEBIAN_PYTHON)
    find_program(DEBIAN_PYTHON NAMES python3 REQUIRED)
endif()
set(pytest ${DEBIAN_PYTHON} -B -m pytest -p no:cacheprovider -q -rs --tb=short)

# clang-tidy is for the program; in tests it costs more time than it finds.
get_property(test_programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(program ${test_programs})
    set_target_properties(${program} PROPERTIES C_CLANG_TIDY "")
endforeach()
set(CMAKE_C_CLANG_TIDY "")
# The optimiser does not know that cmocka's assertions do not return.
set_source_files_properties(${unit_sources} PROPERTIES COMPILE_OPTIONS -Wno-null-dereference)

function(ng_lint name)
    add_test(NAME lint.${name} COMMAND ${ARGN})
    set_tests_properties(lint.${name} PROPERTIES LABELS lint TIMEOUT 300 SKIP_RETURN_CODE 77
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

foreach(name layers text docs symptoms)
    ng_lint(${name} ${DEBIAN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/lint/${name}.py)
endforeach()
foreach(name format shell)
    ng_lint(${name} ${CMAKE_CURRENT_SOURCE_DIR}/lint/${name})
endforeach()
ng_lint(selftest ${pytest} ${CMAKE_CURRENT_SOURCE_DIR}/lint/test_lints.py)

# One entry per file; conftest.py turns "all skipped" into 77. Most of their time they wait for hosts and
# deadlines, and none depends on how fast something is: several run at once, and they start first.
file(GLOB e2e_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/e2e/test_*.py)
foreach(source ${e2e_sources})
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE "test_" "" name ${name})
    add_test(NAME e2e.${name} COMMAND ${pytest} ${source})
    set_tests_properties(e2e.${name} PROPERTIES LABELS e2e TIMEOUT 900 SKIP_RETURN_CODE 77
        COST 100 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        ENVIRONMENT "NASGATE=$<TARGET_FILE:nasgate>;NASGATE_BUILD=${CMAKE_BINARY_DIR}")
endforeach()

# What the benchmark needs from the C side, and a check that it runs. Sanitizers would be measured, too.
if(NOT NG_SANITIZE AND TARGET ng_transport)
    add_executable(bench_command bench/bench_command.c)
    target_include_directories(bench_command PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_definitions(bench_command PRIVATE _GNU_SOURCE)
    target_link_libraries(bench_command PRIVATE ng_transport ng_warnings)
    add_test(NAME bench.quick COMMAND ${DEBIAN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/bench/run
        --quick --build ${CMAKE_BINARY_DIR})
    set_tests_properties(bench.quick PROPERTIES LABELS bench TIMEOUT 600 SKIP_RETURN_CODE 77
        RUN_SERIAL TRUE WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endif()

# Cases on two virtual machines: once, and with nothing beside them, since they are slow enough alone.
if(NOT NG_SANITIZE)
    add_test(NAME lab.cases COMMAND ${pytest} ${CMAKE_CURRENT_SOURCE_DIR}/lab)
    set_tests_properties(lab.cases PROPERTIES LABELS lab TIMEOUT 1500 SKIP_RETURN_CODE 77
        RUN_SERIAL TRUE WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        ENVIRONMENT "NASGATE=$<TARGET_FILE:nasgate>;NASGATE_BUILD=${CMAKE_BINARY_DIR}")
endif()

# tests/fuzz/fuzz_NAME.c with the kept inputs of tests/fuzz/corpus/NAME: run for seconds in the suite,
# for as long as you like by hand (build/tidy/tests/fuzz_NAME -help=1).
if(NG_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "NG_FUZZ needs clang: use the preset tidy")
    endif()
    target_compile_options(ng_warnings INTERFACE -fsanitize=fuzzer-no-link)
    # Inputs that lie elsewhere in the tree.
    set(seeds_plan ${CMAKE_SOURCE_DIR}/plans/examples ${CMAKE_CURRENT_SOURCE_DIR}/golden/bad-plans)
    set(seeds_result ${CMAKE_CURRENT_SOURCE_DIR}/golden/reports)
    set(libraries "")
    foreach(name base language transport facts result conditions engines writers)
        if(TARGET ng_${name})
            list(APPEND libraries ng_${name})
        endif()
    endforeach()
    file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
    foreach(source ${fuzz_sources})
        get_filename_component(program ${source} NAME_WE)
        string(REPLACE "fuzz_" "" name ${program})
        add_executable(${program} ${source})
        target_include_directories(${program} PRIVATE ${CMAKE_SOURCE_DIR})
        target_compile_definitions(${program} PRIVATE _GNU_SOURCE)
        # libFuzzer brings main and calls a function without a prototype.
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-missing-prototypes)
        target_link_options(${program} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${program} PRIVATE ${libraries} ng_warnings)
        add_test(NAME fuzz.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run
            $<TARGET_FILE:${program}> ${CMAKE_CURRENT_BINARY_DIR}/fuzz/${name}
            ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name} ${seeds_${name}})
        set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 120)
    endforeach()
endif()
