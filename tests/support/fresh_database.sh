# Sourced by the runners: fresh_database <env file> <name> makes the database "$database" from
# the migrated template, and drops it at exit. Exits with 77, skipped, without a cluster.

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
    psql -XqAt -v ON_ERROR_STOP=1 -c "create database \"$database\" template postrider_template"
    trap drop_database EXIT
}

drop_database() {
    psql -XqAt -d postgres -c "drop database if exists \"$database\" with (force)" || true
}
