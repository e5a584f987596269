#!/usr/bin/env bash
# requirements.sh <root> check|page|compare: the table of requirements, requirements.tsv.
#   check    every requirement that is not pending names tests that exist; a different one has a reason
#   page     prints docs/reference/conformance.md
#   compare  the committed page is the printed one
# A test is <file>/<check> of this folder, the name of a ctest, or <page>:<text that stands in it>; several by "; ".
set -euo pipefail
cd "$1"
table=tests/conformance/requirements.tsv
failed=0

complain() {
    echo "$table: $*"
    failed=1
}

# test_exists <test>
test_exists() {
    case $1 in
        *.md:* | *.tsv:*) grep -qF -- "${1#*:}" "${1%%:*}" 2>/dev/null ;;
        [0-9]*/*) grep -qE "^-- check: ${1#*/}( |\$)" "tests/conformance/${1%%/*}.sql" 2>/dev/null ;;
        sql.*) compgen -G "tests/sql/*/${1#*.}.sql" >/dev/null || grep -q "NAME $1\$" tests/sql/CMakeLists.txt ;;
        isolation.*) compgen -G "tests/isolation/*/${1#*.}.spec" >/dev/null ;;
        *.*.*) # folder.suite.name of a C++ test
            local rest=${1#*.}
            grep -qrE "TEST(_F|_P)?\(${rest%%.*}, *${rest#*.}\)" "tests/${1%%.*}" --include='*.cpp' ;;
        *.*) grep -q "NAME $1\$" "tests/${1%%.*}/CMakeLists.txt" 2>/dev/null ;;
        *) return 1 ;;
    esac
}

check() {
    local id requirement where tests status reason test
    local -A seen=()
    while IFS=$'\x1f' read -r id requirement where tests status reason; do
        case $id in id | '#'*) continue ;; esac
        [ -z "${seen[$id]:-}" ] || complain "$id is there twice"
        seen[$id]=1
        [ -n "$requirement" ] && [ -n "$where" ] && [ -n "$tests" ] || complain "$id: a column is empty"
        case $status in
            covered | pending) ;;
            different) [ -n "$reason" ] || complain "$id is different and does not say why" ;;
            *) complain "$id: status '$status' is not covered, different or pending" ;;
        esac
        [ "$status" != pending ] || continue
        [ -e "$where" ] || complain "$id: $where does not exist"
        while read -r test; do
            test_exists "$test" || complain "$id: there is no test $test"
        done < <(tr ';' '\n' <<<"$tests" | sed 's/^ //')
    done < <(tr '\t' '\037' <"$table")
}

page() {
    awk -F '\t' -v counts="$(awk -F '\t' '$5 ~ /^(covered|different|pending)$/ { n[$5]++; all++ }
            END { printf "%d %d %d %d", all, n["covered"], n["different"], n["pending"] }' "$table")" '
        BEGIN {
            split(counts, n, " ")
            print "# Conformance"
            print ""
            print "Postrider follows five documents on outboxes, retries and dead letters: two of *spectral* (S0 on dead"
            print "letters, S3 on events), the Open Outbox Specification (S1, and OO for the rules it leans on), one on pgmq (S2) and one of"
            print "*pulse* (S4). Where they disagree, or are wrong, it differs on purpose and says why. `./dev conformance` runs every test"
            print "below, under the profiles of those systems where it matters, and prints the result per requirement."
            print ""
            printf "%d requirements: %d covered, %d deliberately different, %d pending.\n", n[1], n[2], n[3], n[4]
        }
        /^# / {
            printf "\n## %s\n\n| id | requirement | where | test | |\n|---|---|---|---|---|\n", substr($0, 3)
            next
        }
        $1 == "id" { next }
        {
            tests = $4
            gsub(/; /, "<br>", tests)
            gsub(/_/, "\\_", tests)
            reason = $6
            sub(/^D(C|IS)[0-9b]+(, D(C|IS)[0-9b]+)*: /, "", reason)  # where it is argued, outside of this page
            mark = $5 == "covered" ? "" : ($5 == "different" ? "different: " reason : "pending")
            printf "| %s | %s | %s | %s | %s |\n", $1, $2, $3, tests, mark
        }' "$table"
}

case $2 in
    check) check ;;
    page) page ;;
    compare)
        diff -u docs/reference/conformance.md <(page) || {
            echo "refresh it: tests/conformance/requirements.sh . page > docs/reference/conformance.md"
            failed=1
        }
        ;;
    *) complain "use check, page or compare" ;;
esac
exit "$failed"
