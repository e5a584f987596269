#!/usr/bin/env bash
# recipes.sh <promise> <postrider>
# Runs the commands of docs/guides/recipes.md as they are printed there.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/recipes.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
clusters_begin "$2"
make_cluster home 5501
ADMIN=$(url 5501 postgres) DB=$(url 5501)

recipe() { eval "$(guide_commands "$guide" "$1" "$2")" >/dev/null 2>said || { cat said && exit 1; }; }
work() { timeout 20 postrider work --consumer billing --handler billing.all --on '*' --once --quiet --exec cat --database "$1" 2>&1; }
delivered() { work "$1" | sed -n 's/.*delivered: //p'; }

install_and_publish() {
    postrider migrate up --database "$DB" >/dev/null 2>&1
    must_be 0 "$(delivered "$DB")" 'delivered at first'
    postrider publish a --payload 1 --database "$DB" >/dev/null
    postrider publish a --payload 2 --database "$DB" >/dev/null
}

case $1 in
    a_backup_is_restored)
        install_and_publish
        recipe '## Back up and restore' 1
        must_be 2 "$(delivered "$DB")" 'delivered before the loss'
        grep -q 'CREATE ROLE postrider_owner' roles.sql
        psql -Xq -c 'create database restored' "$ADMIN"
        NEW=$(url 5501 restored)
        recipe '## Back up and restore' 2
        must_be 2 "$(delivered "$NEW")" 'delivered by the restored database'
        must_be "$(psql -XAt -c "select obj_description('postrider.claim'::regproc)" "$DB")" \
            "$(psql -XAt -c "select obj_description('postrider.claim'::regproc)" "$NEW")" 'the contract of claim()'
        must_be '' "$(psql -XAt -c "select proname from pg_proc where pronamespace = 'postrider'::regnamespace
                                    and obj_description(oid, 'pg_proc') is null" "$NEW")" 'functions without a contract'
        ;;
    a_database_moves_with_its_roles)
        install_and_publish
        psql -Xq -c 'create role billing login' -c 'grant postrider_worker to billing' "$DB"
        make_cluster new 5502
        NEW=$(url 5502)
        recipe '## Move a database' 1
        must_be 2 "$(delivered "$NEW")" 'delivered in the new cluster'
        must_be t "$(psql -XAt -c "select pg_has_role('billing', 'postrider_worker', 'usage')" "$NEW")" 'the role of the worker'
        ;;
    two_applications_share_a_cluster)
        recipe '## Two applications' 1
        shop=$(url 5501 shop shop_app)
        must_be 0 "$(delivered "$shop")" 'delivered at first'
        postrider publish a --payload 1 --database "$shop" >/dev/null
        must_be 1 "$(delivered "$shop")" 'delivered in the shop'
        must_fail 'permission denied for database' psql -X -c 'select 1' "$(url 5501 blog shop_app)"
        must_fail 'permission denied for database' psql -X -c 'select 1' "$(url 5501 shop blog_app)"
        postrider publish a --payload 1 --database "$(url 5501 blog blog_app)" >/dev/null
        ;;
    nothing_is_left_of_it)
        install_and_publish
        recipe '## Uninstall' 1
        recipe '## Uninstall' 2
        must_be 0 "$(psql -XAt -c "select count(*) from pg_roles where rolname ~ '^postrider'" "$DB")" 'roles'
        must_be '' "$(psql -XAt -c "select nspname from pg_namespace where nspname ~ 'postrider'" "$DB")" 'schemas'
        postrider migrate up --database "$DB" >/dev/null 2>&1  # and it can be installed again
        ;;
esac
