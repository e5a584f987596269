#!/usr/bin/env bash
# recipes.sh <postrider>
# Runs the commands of docs/guides/recipes.md as they are printed there, one recipe after the other in the same clusters.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/recipes.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
clusters_begin "$1"

recipe() { eval "$(guide_commands "$guide" "$1" "$2")" >/dev/null 2>said || { cat said && exit 1; }; }
ask() { psql -XqAt -v ON_ERROR_STOP=1 -c "$2" "$1"; }
publish() { postrider publish a --payload 1 --database "$1" >/dev/null; }
delivered() {
    timeout 20 postrider work --consumer billing --handler billing.all --on '*' --once --quiet --exec cat --database "$1" 2>&1 |
        sed -n 's/.*delivered: //p'
}

a_backup_is_restored() {
    local contracts="select string_agg(md5(obj_description(oid, 'pg_proc')), '' order by proname) from pg_proc
                     where pronamespace = 'postrider'::regnamespace"
    publish "$DB"
    recipe '## Back up and restore' 1
    must_be 1 "$(delivered "$DB")" 'delivered after the backup'
    grep -q 'CREATE ROLE postrider_owner' roles.sql
    psql -Xq -c 'create database restored' "$ADMIN"
    NEW=$(url 5501 restored)
    recipe '## Back up and restore' 2
    must_be 1 "$(delivered "$NEW")" 'delivered by the restored database'
    must_be "$(ask "$DB" "$contracts")" "$(ask "$NEW" "$contracts")" 'contracts of functions'
}

a_database_moves_with_its_roles() {
    publish "$DB"
    psql -Xq -c 'create role clerk login' -c 'grant postrider_worker to clerk' "$DB"
    make_cluster new 5502
    NEW=$(url 5502)
    recipe '## Move a database' 1
    must_be 1 "$(delivered "$NEW")" 'delivered in the new cluster'
    must_be t "$(ask "$NEW" "select pg_has_role('clerk', 'postrider_worker', 'usage')")" 'the role of the worker'
}

two_applications_share_a_cluster() {
    recipe '## Two applications' 1
    publish "$(url 5501 shop shop_app)"
    publish "$(url 5501 blog blog_app)"
    must_fail 'permission denied for database' publish "$(url 5501 blog shop_app)"
    must_fail 'permission denied for database' publish "$(url 5501 shop blog_app)"
}

nothing_is_left_of_it() {
    ADMIN=$(url 5502 postgres) DB=$(url 5502)
    recipe '## Uninstall' 1
    recipe '## Uninstall' 2
    must_be '' "$(ask "$DB" "select rolname from pg_roles where rolname ~ '^postrider'")" 'roles'
    must_be '' "$(ask "$DB" "select nspname from pg_namespace where nspname ~ 'postrider'")" 'schemas'
}

make_cluster home 5501
ADMIN=$(url 5501 postgres) DB=$(url 5501)
postrider migrate up --database "$DB" >/dev/null 2>&1
must_be 0 "$(delivered "$DB")" 'delivered at first'
a_backup_is_restored
a_database_moves_with_its_roles
two_applications_share_a_cluster
nothing_is_left_of_it
