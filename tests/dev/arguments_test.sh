#!/usr/bin/env bash
# arguments_test.sh <test>: ./dev rejects unknown arguments.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
touch "$checkout/build/precious"
# A command that gets as far as this accepted the arguments.
stub dpkg-query 'echo installed'
stub npm 'exit 1'
stub apt-get 'exit 1'
stub cmake 'echo "cmake $*" >>"'"$scratch"'/built"'

# must_refuse <argument>...
must_refuse() {
    local status=0
    "$checkout/dev" "$@" >"$scratch/printed" 2>"$scratch/said" || status=$?
    [ "$status" -eq 64 ] || fail "./dev $*: exit code $status"
    grep -q '^usage: ./dev' "$scratch/said" || fail "./dev $*: no usage on stderr"
    [ ! -s "$scratch/printed" ] || fail "./dev $*: printed $(cat "$scratch/printed")"
    [ ! -e "$scratch/built" ] || fail "./dev $*: something was built"
    [ -e "$checkout/build/precious" ] || fail "./dev $*: build/ is gone"
}

unknown_arguments_are_refused() {
    must_refuse gallop
    must_refuse clean --dry-run
    must_refuse clean release
    must_refuse down --force
    must_refuse conformance --label sql
    must_refuse check --al
    must_refuse check --all src
    must_refuse package warty
}

# ctest itself ignores unknown arguments, and runs everything.
arguments_that_ctest_would_overlook_are_refused() {
    must_refuse test unit
    must_refuse test --lable unit
    must_refuse test --label=unit -R name more
    must_refuse test -R name --verbos
}

# must_reach <ctest arguments> <argument>...
must_reach() {
    local expected=$1 reached="$scratch/ctest"
    shift
    rm -f "$reached"
    stub ctest '[ "$1" != --help ] || exec '"$(type -P ctest)"' --help; printf "%s|" "$@" >"'"$reached"'"'
    "$checkout/dev" "$@" >/dev/null 2>"$scratch/said" || fail "./dev $*: $(cat "$scratch/said")"
    grep -qF -- "$expected" "$reached" || fail "./dev $*: ctest got $(cat "$reached")"
    rm "$scratch/bin/ctest"
}

arguments_of_ctest_reach_it() {
    must_reach '|-LE|^(pg16|pg17|scale|soak|fuzz|distribution|on_demand)$|' test
    must_reach '|-L|^sql$|' test --label sql
    must_reach '|-R|a b|-L|^unit$|' test -R 'a b' --label=unit
    must_reach '|--repeat|until-pass:2|-V|' test --repeat until-pass:2 -V
    must_reach '|-j4|--timeout|9|--show-only=json-v1|' test -j4 --timeout 9 --show-only=json-v1
    must_reach '|-j|4|--rerun-failed|-VV|' test -j 4 --rerun-failed -VV
}

# With CDPATH, cd prints where it went and may go elsewhere.
it_is_found_wherever_it_is_called_from() {
    mkdir -p "$scratch/elsewhere/.ci" "$scratch/elsewhere/a checkout" "$checkout/.ci"
    cp "$sources/.ci/run" "$checkout/.ci/"
    printf '#!/bin/sh\nexit 1\n' >"$scratch/elsewhere/dev" && chmod +x "$scratch/elsewhere/dev"
    stub ctest '[ "$1" != --help ] || exec '"$(type -P ctest)"' --help; printf "%s|" "$@" >"'"$scratch"'/ctest"'
    cd "$scratch"
    CDPATH="$scratch/elsewhere:$scratch" "a checkout/dev" help >/dev/null || fail "./dev was not found"
    cd "$checkout"
    CDPATH="$scratch/elsewhere" .ci/run --label unit >/dev/null 2>"$scratch/said" || fail "$(cat "$scratch/said")"
    grep -qF -- '|--repeat|until-pass:2|-L|^unit$|' "$scratch/ctest" || fail "ctest got $(cat "$scratch/ctest")"
}

"$1"
