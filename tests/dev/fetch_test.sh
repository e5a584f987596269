#!/usr/bin/env bash
# fetch_test.sh <test>: optional dependencies that cannot be fetched do not stop the tests.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"

# A user without root rights; promtool is neither installed nor available.
unprivileged_user() {
    stub id 'echo 1000'
    stub apt-get '[ "$1" = download ] || echo "$*" >>"'"$scratch"'/as_root"; exit 100'
}

fetch_without_promtool() {
    in_dev 'command() { [ "$*" != "-v promtool" ] && builtin command "$@"; }
        fetch_promtool && echo "went on"' >"$scratch/printed" 2>"$scratch/said" || fail "stopped: $(cat "$scratch/said")"
    grep -q 'went on' "$scratch/printed"
    grep -q '^warning: promtool could not be fetched' "$scratch/said" || fail "no warning: $(cat "$scratch/said")"
    [ ! -e "$checkout/build/promtool.partial" ] || fail "something is left"
}

tests_go_on_without_promtool() {
    unprivileged_user
    # No sudo at all, as in a small container.
    in_path_without_sudo fetch_without_promtool
    [ ! -e "$scratch/as_root" ] || fail "the lists were refreshed without rights"
}

in_path_without_sudo() {
    local program
    for program in bash sed mkdir rm id apt-get timeout dirname cat grep env; do
        [ -e "$scratch/bin/$program" ] || ln -s "$(command -v "$program")" "$scratch/bin/$program"
    done
    PATH="$scratch/bin" "$@"
}

promtool_never_asks_for_a_password() {
    unprivileged_user
    stub sudo 'echo "sudo $*" >>"'"$scratch"'/sudo"; exit 1'
    fetch_without_promtool
    [ "$(cat "$scratch/sudo")" = 'sudo -n true' ] || fail "asked: $(cat "$scratch/sudo")"
    # A user with passwordless sudo refreshes the lists.
    stub sudo '[ "$1" != -n ] || exit 0; "$@"'
    fetch_without_promtool
    [ "$(cat "$scratch/as_root")" = 'update -qq' ] || fail "the lists were not refreshed"
}

# npm writes for a while; an interruption must not leave half of the modules.
modules_of_the_page_are_fetched_again_after_an_interruption() {
    stub npm 'echo "$1" >>"'"$scratch"'/npm"; mkdir -p node_modules; [ -z "${interrupted:-}" ] || kill -KILL "$interrupted"'
    ! in_dev 'export interrupted=$$; fetch_page_tests' 2>/dev/null || fail "it was not interrupted"
    in_dev 'fetch_page_tests && echo "$POSTRIDER_TEST_PAGE_MODULES"' >"$scratch/printed" 2>"$scratch/said"
    [ "$(wc -l <"$scratch/npm")" -eq 2 ] || fail "half of the modules were taken for all: $(cat "$scratch/said")"
    [ "$(cat "$scratch/printed")" = "$checkout/build/page-tests/node_modules" ] || fail "not found"
    # And once is enough.
    in_dev fetch_page_tests
    [ "$(wc -l <"$scratch/npm")" -eq 2 ] || fail "fetched once more"
}

"$1"
