# shellcheck shell=bash
# Sourced by tests that need PostgreSQL clusters of their own, to copy, stop and reset. Each has a Unix socket in a private
# directory and no TCP port, so tests that run at the same time do not collide. All of them are removed at exit.
#   clusters_begin <postrider>           prepares the place; `postrider` is found in PATH from then on
#   make_cluster <name> <port> [initdb options]
#   start_cluster <name> <port> [setting=value ...]
#   stop_cluster <name> [mode]
#   url <port> [database] [user]         how to connect
#   run_sql <port> [psql options]        psql in the database app as the superuser
#   must_fail <text> <command ...>       the command fails and says the text

clusters_begin() {
    clusters=$(mktemp -d "${TMPDIR:-/tmp}/postrider-test.XXXXXX")
    trap clusters_end EXIT
    server_bin=$(pg_config --bindir)
    server_user=()
    if [ "$(id -u)" -eq 0 ]; then
        # PostgreSQL refuses to run as root.
        server_user=(runuser -u "$(id -un postgres 2>/dev/null || echo nobody)" --)
        chown "${server_user[2]}" "$clusters"
    fi
    PATH=$(cd "$(dirname "$1")" && pwd):$PATH
    export PATH PGOPTIONS='-c client_min_messages=warning'
    unset PGHOST PGPORT PGUSER PGDATABASE PGDATA POSTRIDER_DATABASE_URL POSTRIDER_DEPLOYMENT
    cd "$clusters" || exit
}

clusters_end() {
    local data
    for data in "$clusters"/*/postmaster.pid; do
        if [ -f "$data" ]; then
            server pg_ctl -D "$(dirname "$data")" -m immediate stop >/dev/null || true
        fi
    done
    rm -rf "$clusters"
}

# server <program> [arguments]: runs a program of the server's version as the server's user.
server() {
    local program=$1
    shift
    ${server_user[@]+"${server_user[@]}"} "$server_bin/$program" "$@"
}

make_cluster() {
    local name=$1 port=$2
    shift 2
    server initdb -D "$clusters/$name" -U postgres -A trust --no-sync --locale C -E UTF8 "$@" >/dev/null
    start_cluster "$name" "$port"
    psql -Xq -c 'create database app' "$(url "$port" postgres)"
}

start_cluster() {
    local name=$1 port=$2 settings
    shift 2
    settings=$(printf ' -c %s' port="$port" listen_addresses= unix_socket_directories="$clusters" fsync=off wal_level=logical \
        max_prepared_transactions=5 "$@")
    server pg_ctl -D "$clusters/$name" -l "$clusters/$name.log" -w -o "$settings" start >/dev/null || {
        cat "$clusters/$name.log"
        return 1
    }
}

stop_cluster() { server pg_ctl -D "$clusters/$1" -m "${2:-fast}" -w stop >/dev/null; }

url() { echo "host=$clusters port=$1 dbname=${2:-app} user=${3:-postgres}"; }

run_sql() {
    local port=$1
    shift
    psql -XqAt -v ON_ERROR_STOP=1 "$@" "$(url "$port")"
}

must_fail() {
    local text=$1 said
    shift
    if said=$("$@" 2>&1); then
        printf 'not refused: %s\nit said: %s\n' "$*" "$said"
        exit 1
    elif [[ $said != *"$text"* ]]; then
        printf 'refused otherwise: %s\nit said: %s\nexpected: %s\n' "$*" "$said" "$text"
        exit 1
    fi
}

# must_be <expected> <actual> <what>
must_be() {
    [ "$1" = "$2" ] || { printf '%s\nexpected: %s\nactual:   %s\n' "$3" "$1" "$2" && exit 1; }
}
