#!/usr/bin/env bash
# run_isolation_test.sh <env file> <file.spec> <output dir>: isolationtester must print exactly
# expected/<name>.out. With POSTRIDER_ACCEPT=1 its output becomes the expected one.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fresh_database.sh"
name=$(basename "$2" .spec)
expected="$(dirname "$2")/expected/$name.out"
output="$3/$name.out"

tester=$(ls -d /usr/lib/postgresql/*/lib/pgxs/src/test/isolation/isolationtester 2>/dev/null |
    sort -V | tail -n 1)
if [ -z "$tester" ]; then
    echo "isolationtester is missing; it comes with postgresql-client"
    exit 77
fi
fresh_database "$1" "$name"
mkdir -p "$3"
unset PGOPTIONS
"$tester" "dbname=$database" <"$2" >"$output"
if [ "${POSTRIDER_ACCEPT:-}" = 1 ]; then
    mkdir -p "$(dirname "$expected")"
    cp "$output" "$expected"
fi
diff -u "$expected" "$output"
