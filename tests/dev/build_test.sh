#!/usr/bin/env bash
# build_test.sh <test>: ./dev build and its presets.
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

the_preset_fuzz_brings_its_compiler_and_its_tests() {
    stub cmake ''
    stub ctest '[ "$1" = --help ] || printf "%s|" "$@" >"'"$scratch"'/ctest"'
    stub dpkg-query '[ "${@: -1}" = clang-14 ] || echo installed'
    export POSTRIDER_NO_INSTALL=1
    local command
    for command in build test; do
        ! "$checkout/dev" "$command" --preset fuzz 2>"$scratch/said" || fail "$command: went on without clang"
        grep -q 'missing packages: .*clang-14' "$scratch/said" || fail "$command: $(cat "$scratch/said")"
    done
    stub dpkg-query 'echo installed'
    "$checkout/dev" test --preset fuzz 2>"$scratch/said" || fail "$(cat "$scratch/said")"
    grep -qF -- '--test-dir|build/fuzz|' "$scratch/ctest" && grep -qF -- '|-L|^fuzz$|' "$scratch/ctest" ||
        fail "ctest got $(cat "$scratch/ctest")"
}

"$1"
