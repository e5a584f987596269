#!/usr/bin/env bash
# run_contracts_test.sh <env file>: the comment of every function and view of the schema is the contract of its file, and no
# function or view that a role may use is without one.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../support/fresh_database.sh"
fresh_database "$1" contracts
unset PGOPTIONS

contracts() {
    local file
    find "$here/../../sql/functions" "$here/../../sql/views" "$here/../../sql/compat" -name '*.sql' | while read -r file; do
        printf '%s %s\n' "$(basename "$file" .sql)" "$file"
    done | LC_ALL=C sort | while read -r name file; do
        echo "== $name"
        sed -n -e '/^--$/q' -e '/^--/!q' -e '/^-- postrider:/d' -e 's/^-- //p' "$file"
    done
}

comments() {
    psql -XqAt -v ON_ERROR_STOP=1 -d "$database" <<'SQL'
select format(e'== %s\n%s', o.name, o.comment)
from (select p.proname::text as name, obj_description(p.oid, 'pg_proc') as comment
      from pg_proc p where p.pronamespace = 'postrider'::regnamespace and p.prolang <> (select oid from pg_language where lanname = 'c')
      union all
      select c.relname, obj_description(c.oid, 'pg_class')
      from pg_class c where c.relnamespace = 'postrider'::regnamespace and c.relkind = 'v') o
order by o.name collate "C";
SQL
}

diff -u <(contracts) <(comments) || { echo "a contract (-) is not the comment of its function or view (+)" && exit 1; }
[ "$(comments | grep -c '^== ')" -gt 250 ] || { echo "few functions were found: this test is broken" && exit 1; }
