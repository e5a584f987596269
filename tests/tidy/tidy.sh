#!/usr/bin/env bash
# tidy.sh <root>: the rules of this repository. Prints every violation, fails if there is one.
set -euo pipefail
rules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$1"
failed=0

complain() {
    echo "$*"
    failed=1
}

# Tracked and new files alike; outside of git (the self-test, an archive) every file there is.
list_files() {
    if [ -e .git ]; then
        git ls-files --cached --others --exclude-standard
    else
        find . -path ./build -prune -o -type f -print | sed 's,^\./,,'
    fi | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

mapfile -t files < <(list_files | grep -vE '^(LICENSE|tests/tidy/)|/package-lock\.json$' | LC_ALL=C sort)
[ ${#files[@]} -gt 0 ] || { echo "no files in $1" && exit 1; }

check_lines() {
    local codes=' '
    if [ -f src/base/errors.def ]; then
        codes=" $(grep -o '"PR[0-9A-Z]*"' src/base/errors.def | tr -d '"' | tr '\n' ' ')"
    fi
    printf '%s\0' "${files[@]}" |
        LC_ALL=C xargs -0 awk -v banned="$rules/banned_words.txt" -v codes="$codes" \
            -v vague_allowed="$rules/vague_words_allowed.txt" -f "$rules/lines.awk" || failed=1
}

check_lengths() {
    local count file
    while read -r count file; do
        case $file in total | *.out | */expected/* | docs/reference/* | */openapi.json) continue ;; esac
        if [ "$count" -gt 800 ]; then
            complain "$file: $count lines, 800 are the limit; split it by meaning"
        elif [ "$count" -gt 500 ]; then
            echo "note: $file has $count lines; 800 are the limit"
        fi
    done < <(printf '%s\0' "${files[@]}" | xargs -0 wc -l)
}

check_names() {
    local file
    for file in "${files[@]}"; do
        case /$file in
            */util/* | */utils/* | */common/* | */helpers/* | */util[s.]* | */common.* | */helper[s.]*)
                complain "$file: name it by what it holds, not as a drawer"
                ;;
        esac
        case $file in
            *.hpp) grep -q '^#pragma once$' "$file" || complain "$file: #pragma once is missing" ;;
            sql/functions/*.sql) check_contract "$file" ;;
        esac
    done
}

# The first line says what the function is: "-- name(arguments): ...".
check_contract() {
    local name
    name=$(basename "$1" .sql)
    head -n 1 "$1" | grep -qE "^-- $name(\(|:| )" ||
        complain "$1:1: begin with a contract comment: -- $name(arguments): what it promises"
}

# The body of an SQL function is what stands between "as $$" and "$$;".
check_sql_bodies() {
    local listed
    mapfile -t listed < <(printf '%s\n' "${files[@]}" | grep -E '^sql/.*\.sql$' || true)
    [ ${#listed[@]} -gt 0 ] || return 0
    awk '
        FNR == 1 { start = 0 }
        !start && /(^|[ \t])as \$\$[ \t]*$/ { start = FNR; next }
        start && /^[ \t]*\$\$;/ {
            if (FNR - start - 1 > 70) {
                print FILENAME ":" start ": the function has " FNR - start - 1 " lines, 70 are the limit; split it by meaning"
                bad = 1
            }
            start = 0
        }
        END { exit bad }' "${listed[@]}" || failed=1
}

check_front_pages() {
    if [ ! -f README.md ]; then
        complain "README.md is missing"
    else
        [ "$(wc -l <README.md)" -le 150 ] || complain "README.md: longer than 150 lines"
        grep -qF './dev up' README.md || complain "README.md: does not name ./dev up"
        grep -qF './dev test' README.md || complain "README.md: does not name ./dev test"
    fi
    grep -qE '^## \[?Unreleased\]?' CHANGELOG.md 2>/dev/null ||
        complain "CHANGELOG.md: the section Unreleased is missing"
}

# What a page of ours points to is there.
check_links() {
    local file target
    for file in "${files[@]}"; do
        case $file in *.md) ;; *) continue ;; esac
        while read -r target; do
            [ -e "$(dirname "$file")/$target" ] || complain "$file: the link $target leads nowhere"
        done < <(grep -oE '\]\([^)# ]+[)#]' "$file" | sed 's/^](//; s/.$//' | grep -vE '^[a-z]+:' || true)
    done
}

check_lines
check_lengths
check_sql_bodies
check_names
check_links
check_front_pages
exit "$failed"
