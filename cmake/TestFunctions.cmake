include(GoogleTest)

set(cluster_root ${PROJECT_BINARY_DIR}/tests)

# postrider_add_cluster(<fixture> [BIN_FROM_ENV <variable>]): one private PostgreSQL per ctest
# run, started when a selected test needs the fixture. It describes itself in
# <build>/tests/<fixture>/env (PGHOST=, PGPORT=, PGUSER=) and holds the migrated database
# postrider_template. With BIN_FROM_ENV the server comes from the directory in that variable
# and everything on it is skipped while the variable is empty.
function(postrider_add_cluster fixture)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "BIN_FROM_ENV" "")
    if(NOT TARGET postrider_test_cluster)
        return()
    endif()
    set(runner ${PROJECT_SOURCE_DIR}/tests/support/run_cluster.sh $<TARGET_FILE:postrider_test_cluster>)
    add_test(NAME ${fixture}.start
             COMMAND ${runner} start ${cluster_root}/${fixture} ${arg_BIN_FROM_ENV})
    add_test(NAME ${fixture}.stop
             COMMAND ${runner} stop ${cluster_root}/${fixture} ${arg_BIN_FROM_ENV})
    set_tests_properties(${fixture}.start PROPERTIES FIXTURES_SETUP ${fixture})
    set_tests_properties(${fixture}.stop PROPERTIES FIXTURES_CLEANUP ${fixture})
    set_tests_properties(${fixture}.start ${fixture}.stop PROPERTIES
        LABELS cluster SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

# postrider_add_gtest(<name> SOURCES <file>... [CLUSTER] [LABEL <label>] [LABELS <label>...] [LIBRARIES
# <lib>...] [TIMEOUT <seconds>]): one executable, each of its test cases one ctest. LABEL replaces the
# folder's name, which is the label otherwise. With CLUSTER they run
# against the shared private PostgreSQL, found through POSTRIDER_TEST_ENV. The program under
# test is POSTRIDER_PROGRAM, a string literal.
function(postrider_add_gtest name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CLUSTER" "TIMEOUT;LABEL" "SOURCES;LABELS;LIBRARIES")
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    if(arg_LABEL)
        set(folder ${arg_LABEL})
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE postrider_internal GTest::gtest_main ${arg_LIBRARIES})
    postrider_precompile_once(${name} postrider_test_headers)
    postrider_unity(${name})
    if(TARGET postrider_test_support)
        target_link_libraries(${name} PRIVATE postrider_test_support)
    endif()
    if(TARGET postrider_cli)
        target_compile_definitions(${name} PRIVATE
            POSTRIDER_PROGRAM="$<TARGET_FILE:postrider_cli>")
        add_dependencies(${name} postrider_cli)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    set(properties LABELS "${folder};${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
    if(NOT arg_LABELS)
        set(properties LABELS ${folder} TIMEOUT ${arg_TIMEOUT})
    endif()
    if(arg_CLUSTER)
        list(APPEND properties FIXTURES_REQUIRED cluster
             ENVIRONMENT POSTRIDER_TEST_ENV=${cluster_root}/cluster/env)
    endif()
    gtest_discover_tests(${name} TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 60
                         PROPERTIES ${properties})
endfunction()

# A file of SQL run by psql in a fresh, migrated database; on the other servers too. A whole run repeats on them only
# files in the list differs_by_server; the others have the label on_demand there and run with the server's own label.
function(postrider_add_sql_test file)
    cmake_path(GET file STEM name)
    set(runner ${PROJECT_SOURCE_DIR}/tests/support/run_sql_test.sh)
    foreach(major IN ITEMS "" ${other_servers})
        set(label sql)
        set(labels sql)
        if(major)
            set(label pg${major})
            set(labels ${label})
            if(NOT name IN_LIST differs_by_server)
                list(APPEND labels on_demand)
            endif()
        endif()
        add_test(NAME ${label}.${name} COMMAND ${runner} ${cluster_root}/cluster${major}/env ${file})
        set_tests_properties(${label}.${name} PROPERTIES LABELS "${labels}" FIXTURES_REQUIRED cluster${major}
                             SKIP_RETURN_CODE 77 TIMEOUT 300)
    endforeach()
endfunction()

# An isolationtester spec whose output must equal expected/<name>.out beside it.
function(postrider_add_isolation_test file)
    cmake_path(GET file STEM name)
    add_test(NAME isolation.${name}
             COMMAND ${PROJECT_SOURCE_DIR}/tests/support/run_isolation_test.sh
                     ${cluster_root}/cluster/env ${file} ${PROJECT_BINARY_DIR}/tests/isolation)
    set_tests_properties(isolation.${name} PROPERTIES LABELS isolation FIXTURES_REQUIRED cluster
                         SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

# Configuring fails when a C++ file below tests/ belongs to no target: a forgotten test would
# never run. Consumers of the package and planted tidy violations are not built here.
function(postrider_require_registered_tests)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
         ${CMAKE_CURRENT_SOURCE_DIR}/*.spec ${CMAKE_CURRENT_SOURCE_DIR}/*.sql)
    list(FILTER files EXCLUDE REGEX "/tests/(package|tidy)/")
    list(FILTER files EXCLUDE REGEX "/tests/sql/[^/]+/[^/]+\\.sql$")
    list(FILTER files EXCLUDE REGEX "/tests/conformance/([^/]+|include/[^/]+)\\.sql$")
    list(FILTER files EXCLUDE REGEX "/tests/isolation/[^/]+/[^/]+\\.spec$")
    list(FILTER files EXCLUDE REGEX "/tests/security/([^/]+/)?[^/]+\\.sql$")
    list(FILTER files EXCLUDE REGEX "/tests/native/([^/]+|include/[^/]+)\\.sql$")
    list(FILTER files EXCLUDE REGEX "/tests/[a-z]+/fixtures/")
    get_property(folders DIRECTORY PROPERTY SUBDIRECTORIES)
    foreach(folder IN LISTS folders)
        get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
        foreach(target IN LISTS targets)
            get_target_property(sources ${target} SOURCES)
            foreach(source IN LISTS sources)
                cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
                list(REMOVE_ITEM files ${source})
            endforeach()
        endforeach()
    endforeach()
    if(files)
        list(JOIN files "\n  " text)
        message(FATAL_ERROR "These test files are registered nowhere; add them to the "
                            "CMakeLists.txt of their folder:\n  ${text}")
    endif()
endfunction()
