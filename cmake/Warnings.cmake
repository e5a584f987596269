# postrider_warnings: the warnings of this repository's own code, never passed on to users.
add_library(postrider_warnings INTERFACE)
target_compile_options(postrider_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<BOOL:${POSTRIDER_WERROR}>:-Werror>)
