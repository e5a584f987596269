# Precompiled headers: most of the time of a build is spent on reading the same headers again.
option(POSTRIDER_PRECOMPILE "Precompile the headers of libraries" ${PROJECT_IS_TOP_LEVEL})

# ccache keeps objects made with a precompiled header only if the compiler names it in its output
# and the cache is told to trust it.
if(POSTRIDER_PRECOMPILE AND POSTRIDER_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${POSTRIDER_CCACHE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    endif()
endif()

set(postrider_standard_headers <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint>
    <exception> <filesystem> <functional> <map> <memory> <mutex> <optional> <ranges> <span> <stop_token>
    <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>)

# postrider_precompile(<target> [<header>...]): the standard headers, and these.
function(postrider_precompile target)
    if(POSTRIDER_PRECOMPILE)
        target_precompile_headers(${target} PRIVATE ${postrider_standard_headers} ${ARGN})
    endif()
endfunction()

# postrider_precompile_once(<target> <name>): <target> uses the precompiled headers of <name>, which is compiled with the same options.
function(postrider_precompile_once target name)
    if(POSTRIDER_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()
