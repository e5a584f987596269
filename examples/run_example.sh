#!/usr/bin/env bash
# run_example.sh <env file> <name> <program or file.sql>...: runs one after the other in a fresh
# database of the test run's server, which they find by the PG* variables.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tests/support/fresh_database.sh"
fresh_database "$1" "example_$2"
export PGDATABASE=$database
shift 2
for step in "$@"; do
    case $step in
        *.sql) psql -X -f "$step" ;;
        *) "$step" ;;
    esac
done
