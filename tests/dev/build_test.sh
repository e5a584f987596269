#!/usr/bin/env bash
# build_test.sh <test>: ./dev build and what it builds for.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
stub dpkg-query 'echo installed'

a_configuration_that_was_interrupted_is_done_again() {
    mkdir -p "$checkout/build/dev" && touch "$checkout/build/dev/CMakeCache.txt"
    stub cmake 'echo "$1" >>"'"$scratch"'/cmake"; [ "$1" != --preset ] || touch build/dev/build.ninja'
    "$checkout/dev" build 2>"$scratch/said"
    [ "$(tr '\n' ' ' <"$scratch/cmake")" = '--preset --build ' ] || fail "cmake: $(cat "$scratch/cmake")"
    # And once is enough, for either generator.
    "$checkout/dev" build 2>"$scratch/said"
    mv "$checkout/build/dev/build.ninja" "$checkout/build/dev/Makefile"
    "$checkout/dev" build 2>"$scratch/said"
    [ "$(grep -c -e --preset "$scratch/cmake")" -eq 1 ] || fail "configured again"
}

"$1"
