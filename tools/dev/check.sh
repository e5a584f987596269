# ./dev check: static checks of the sources. Sourced by ./dev.

clang_format=clang-format-14
clang_tidy=clang-tidy-16

cmd_check() {
    local all='' failed=0
    if [ "${1:-}" = --all ]; then
        all=yes
        shift
    fi
    take_nothing check "$@"
    need_packages build test check
    check_format || failed=1
    say "repository rules"
    tests/tidy/tidy.sh "$root" || failed=1
    check_clang_tidy "$all" || failed=1
    [ "$failed" -eq 0 ] || die "check failed"
    say "check passed"
}

check_format() {
    say "formatting ($clang_format)"
    local files
    mapfile -t files < <(cpp_files)
    if [ ${#files[@]} -eq 0 ]; then
        # In an archive, or in a checkout owned by another user, which git refuses to read.
        warn "git lists no files, so none can be checked"
        return 1
    fi
    "$clang_format" --dry-run -Werror "${files[@]}"
}

cpp_files() {
    git ls-files --cached --others --exclude-standard -- '*.hpp' '*.cpp' '*.c' '*.h' | while read -r file; do
        # A file removed but not yet committed is still listed.
        [ ! -f "$file" ] || echo "$file"
    done
}

# Files that differ from the upstream branch (or the last commit), or all of them.
tidy_files() {
    local base
    if [ -n "$1" ]; then
        cpp_files
        return
    fi
    base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse HEAD)
    { git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.c' &&
        git ls-files --others --exclude-standard -- '*.cpp' '*.c'; } | sort -u
}

check_clang_tidy() {
    local files
    # Consumers of the installed package are projects of their own, without a build here.
    mapfile -t files < <(tidy_files "$1" | grep -E '\.(cpp|c)$' | grep -v '^tests/package/')
    if [ ${#files[@]} -eq 0 ]; then
        say "clang-tidy: no changed files (--all takes every file)"
        return 0
    fi
    # Tidy needs the generated headers and the command of each single file. The caller continues after a failure: set -e is off.
    fetch_server_headers
    mkdir -p build
    cmake --preset dev -B build/tidy -DPOSTRIDER_UNITY=OFF -DPOSTRIDER_PRECOMPILE=OFF >build/configure.log 2>&1 || {
        cat build/configure.log >&2
        return 1
    }
    # Where the server's headers are missing, native is not built and cannot be looked at.
    mapfile -t files < <(printf '%s\n' "${files[@]}" |
        if grep -qs /native/ build/tidy/compile_commands.json; then cat; else grep -v '^native/'; fi)
    say "clang-tidy on ${#files[@]} files"
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "${POSTRIDER_JOBS:-$(nproc)}" \
        "$clang_tidy" -p build/tidy --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option
}
