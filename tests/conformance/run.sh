#!/usr/bin/env bash
# run.sh <env file> <file.sql> <output dir>: every check of a file of checks, in one fresh database.
# A check begins with "-- check: its_name" and ends where the next one begins; statements before the first one run once.
# "-- check: its_name [a b]" is run under the profiles a and b: the setting check.profile names the one.
# Writes <output dir>/<file>.results: "ok" or "failed" and <file>/<check>, one line each. Fails if a check does.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../support/fresh_database.sh"
name=$(basename "$2" .sql)
fresh_database "$1" "conformance_$name"
unset PGOPTIONS
mkdir -p "$3"
results="$3/$name.results"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; drop_database' EXIT

awk -v dir="$scratch" '
    /^-- check: / { file = sprintf("%s/%03d", dir, ++n); print substr($0, 11) > (file ".name") }
    { print > (n ? file ".sql" : dir "/first.sql") }' "$2"

# run_sql <file> [profile]
run_sql() {
    PGOPTIONS=${2:+-c check.profile=$2} psql -X -q -v ON_ERROR_STOP=1 -d "$database" -f - <"$1" >"$scratch/out" 2>&1
}

cd "$here"
run_sql "$scratch/first.sql" || { cat "$scratch/out" && exit 1; }
failed=0
: >"$results"
for file in "$scratch"/*.name; do
    read -r check profiles <"$file"
    profiles=${profiles//[\[\]]/}
    result=ok
    for profile in ${profiles:-''}; do
        [ "$profile" != "''" ] || profile=
        if ! run_sql "${file%.name}.sql" "$profile"; then
            result=failed
            failed=1
            echo "FAILED $name/$check${profile:+ ($profile)}"
            grep -m 3 -E 'ERROR|CONTEXT|DETAIL' "$scratch/out" || cat "$scratch/out"
        fi
    done
    echo "$result $name/$check" | tee -a "$results"
done
exit "$failed"
