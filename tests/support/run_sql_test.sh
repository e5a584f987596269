#!/usr/bin/env bash
# run_sql_test.sh <env file> <file.sql>: the file must run without an error in a fresh database.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fresh_database.sh"
fresh_database "$1" "$(basename "$2" .sql)"
# \ir and \copy in the file find their neighbours. The file itself decides its output.
unset PGOPTIONS
cd "$(dirname "$2")"
psql -X -v ON_ERROR_STOP=1 -d "$database" -f "$(basename "$2")"
