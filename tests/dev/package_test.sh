#!/usr/bin/env bash
# package_test.sh <test>: ./dev package with stubs of the programs that it calls.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
stub dpkg-query 'echo installed'
stub apt-get 'exit 1'
stub cmake 'echo "$*" >>"'"$scratch"'/cmake"'
# cpack --config <file> -B <dir>
stub cpack 'echo "$SOURCE_DATE_EPOCH" >>"'"$scratch"'/epochs"; touch "$4/$(basename "$(dirname "$2")").deb"'
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

both_builds_are_packed_and_judged() {
    stub lintian 'printf "%s|" "$@" >"'"$scratch"'/lintian"'
    SOURCE_DATE_EPOCH=7 "$checkout/dev" package >"$scratch/printed" 2>"$scratch/said" || fail "$(cat "$scratch/said")"
    for preset in release shared; do
        grep -q -- "--build --preset $preset .*--target postrider_package" "$scratch/cmake" || fail "not built: $preset"
        grep -q "/build/packages/$suite/$preset.deb\$" "$scratch/printed" || fail "not printed: $(cat "$scratch/printed")"
        grep -q "$preset.deb|" "$scratch/lintian" || fail "not judged: $preset"
    done
    grep -q '^--fail-on|error|' "$scratch/lintian" || fail "lintian got $(cat "$scratch/lintian")"
    [ "$(sort -u "$scratch/epochs")" = 7 ] || fail "the date of the packages: $(cat "$scratch/epochs")"
}

packages_that_lintian_rejects_are_a_failure() {
    stub lintian 'echo "E: postrider: a-problem"; exit 2'
    ! "$checkout/dev" package >"$scratch/printed" 2>"$scratch/said" || fail "went on"
    grep -q 'E: postrider: a-problem' "$scratch/said" && grep -q '^error: lintian rejected' "$scratch/said" || fail "$(cat "$scratch/said")"
}

a_suite_that_is_none_is_refused_and_nothing_is_built() {
    ! "$checkout/dev" package warty >"$scratch/printed" 2>"$scratch/said" || fail "went on"
    grep -q "'warty' is not a suite" "$scratch/said" && [ ! -e "$scratch/cmake" ] || fail "$(cat "$scratch/said")"
}

"$1"
