# Sourced by the runners: fresh_database <env file> <name> makes the database "$database" from
# the migrated template, or the one that POSTRIDER_TEST_TEMPLATE names, and drops it at exit. Exits
# with 77, skipped, without a cluster or template.

fresh_database() {
    if [ ! -f "$1" ]; then
        echo "no cluster: $1 does not exist"
        exit 77
    fi
    set -a
    . "$1"
    set +a
    database="${2//[^a-z0-9_]/_}_$$"
    export PGDATABASE=postgres PGOPTIONS='-c client_min_messages=warning'
    local template=${POSTRIDER_TEST_TEMPLATE:-postrider_template}
    if [ -z "$(psql -XqAt -c "select 1 from pg_database where datname = '$template'")" ]; then
        echo "this server has no $template"
        exit 77
    fi
    psql -XqAt -v ON_ERROR_STOP=1 -c "create database \"$database\" template $template"
    trap drop_database EXIT
    # A database does not inherit its template's settings.
    if [ "$template" != postrider_template ]; then
        psql -XqAt -v ON_ERROR_STOP=1 -c "alter database \"$database\" set postrider.native = on"
    fi
}

drop_database() {
    psql -XqAt -d postgres -c "drop database if exists \"$database\" with (force)" || true
}
