# postrider_warnings: the warnings of this repository's own code, never passed on to users.
# GCC 12 sees an overlap in "literal" + std::string that is not there (its bug 105651), and with
# precompiled headers accesses beyond the end inside of std::string.
# Optimised or with sanitizers, it also takes members of a list of aggregates with vectors, or of an aggregate with
# optionals, for uninitialised or freed ones.
set(gcc_12 $<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
set(sanitized 0)
if(POSTRIDER_SANITIZE)
    set(sanitized 1)
endif()
add_library(postrider_warnings INTERFACE)
target_compile_options(postrider_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    "$<${gcc_12}:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>"
    $<$<AND:${gcc_12},$<OR:$<CONFIG:Release>,${sanitized}>>:-Wno-maybe-uninitialized;-Wno-use-after-free>
    $<$<BOOL:${POSTRIDER_WERROR}>:-Werror>)
