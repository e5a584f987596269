#!/usr/bin/env bash
# run_roles_test.sh <env file> <postrider>: a role that is no superuser migrates a database of its own in a cluster where the
# roles postrider_* belong to another installation. Where it may not, the error has the statement that allows it.
set -euo pipefail
if [ ! -f "$1" ]; then
    echo "no cluster: $1 does not exist"
    exit 77
fi
set -a
. "$1"
set +a
program=$2
export PGDATABASE=postgres PGOPTIONS='-c client_min_messages=warning'
admin() { psql -XqAt -v ON_ERROR_STOP=1 -c "$1"; }
role="Second owner $$" database="second_$$"

clean_up() {
    admin "drop database if exists $database with (force)" || true
    admin "drop role if exists \"$role\"" || true
}
trap clean_up EXIT

fail() {
    echo "$*"
    exit 1
}

# migrate_as: migrates as the role; the output is in $output.
migrate_as() {
    output=$("$program" migrate up --database "dbname=$database user='$role'" 2>&1)
}

# fix <text>: migrating fails, the error proposes a statement that contains the text, and a superuser runs it.
fix() {
    if migrate_as; then
        fail "migrated without: $1"
    fi
    statement=$(printf '%s\n' "$output" | tr '\n' ' ' | sed -n 's/.*then migrate again: \([^;]*;\).*/\1/p')
    case $statement in
        *"$1"*) echo "proposed: $statement" ;;
        *) fail "expected a statement with: $1, in: $output" ;;
    esac
    # The general advice would be wrong here.
    case $output in *'with CREATEROLE'*) fail "two pieces of advice: $output" ;; esac
    admin "$statement"
}

version=$(admin "select current_setting('server_version_num')::int / 10000")
admin "create role \"$role\" login createrole"
admin "create database $database owner \"$role\""
# Up to PostgreSQL 15 CREATEROLE is a right to all roles, from 16 on to those that the role created.
if [ "$version" -ge 16 ]; then
    fix "grant postrider_owner to \"$role\""
fi
migrate_as || fail "$output"
migrate_as || fail "a second run: $output"
[ "$(psql -XqAt -d "$database" -c "select nspowner::regrole from pg_namespace where nspname = 'postrider'")" = postrider_owner ]
clean_up

# A role with no rights but that to connect.
admin "create role \"$role\" login"
admin "create database $database"
fix "grant postrider_owner to \"$role\""
fix "grant create on database $database to \"$role\""
migrate_as || fail "$output"
