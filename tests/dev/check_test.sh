#!/usr/bin/env bash
# check_test.sh <test>: ./dev check fails when it could not check a file.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
stub dpkg-query 'echo installed'

# in_repository: a repository with one file that has changed.
in_repository() {
    mkdir -p "$checkout/tests/tidy"
    stub tidy.sh '' && mv "$scratch/bin/tidy.sh" "$checkout/tests/tidy/"
    stub clang-format-14 ''
    stub clang-tidy-16 ''
    git -C "$checkout" init -q
    git -C "$checkout" -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m empty
    echo 'int x;' >"$checkout/a.cpp"
}

a_check_fails_when_configuring_does() {
    in_repository
    stub cmake ''
    "$checkout/dev" check 2>"$scratch/said" || fail "$(cat "$scratch/said")"
    stub cmake '[ "$1" != --preset ]'
    ! "$checkout/dev" check 2>"$scratch/said" || fail "$(cat "$scratch/said")"
}

a_check_that_sees_no_files_fails() {
    in_repository
    stub cmake ''
    # As in an archive, or in a checkout owned by another user, which git refuses to read.
    rm -rf "$checkout/.git"
    export GIT_CEILING_DIRECTORIES="$scratch"
    ! "$checkout/dev" check 2>"$scratch/said" || fail "nothing was checked: $(cat "$scratch/said")"
    grep -q 'git lists no files' "$scratch/said" || fail "not said: $(cat "$scratch/said")"
}

"$1"
