#!/usr/bin/env bash
# run_schema_test.sh <env file> <output file>: a fresh installation must have exactly the schema of
# expected/schema.sql. With POSTRIDER_ACCEPT=1 it overwrites that file.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../support/fresh_database.sh"
fresh_database "$1" schema
unset PGOPTIONS
if [ "$(psql -XAt -d "$database" -c "select current_setting('server_version_num')::int / 10000")" != 15 ]; then
    echo "expected/schema.sql is written for PostgreSQL 15"
    exit 77
fi
mkdir -p "$(dirname "$2")"
"$here/../../tools/dump-schema" -d "$database" >"$2"
if [ "${POSTRIDER_ACCEPT:-}" = 1 ]; then
    cp "$2" "$here/expected/schema.sql"
fi
diff -u "$here/expected/schema.sql" "$2"
