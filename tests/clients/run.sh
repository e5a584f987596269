#!/usr/bin/env bash
# run.sh <env file> <program> <language>: the examples of a client in a fresh database. Skipped (77) where the language
# or its driver is missing; ./dev test fetches them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
postrider=$2
language=$3
examples=$root/examples/other_languages

skip() {
    echo "skipped: $*"
    exit 77
}
check() { # check <what> <query> <expected>
    local found
    found=$(psql -XqAt -c "$2")
    [ "$found" = "$3" ] || { echo "$1: $found instead of $3" && exit 1; }
}

case $language in
    python)
        python=
        for candidate in /usr/bin/python3 python3; do
            if "$candidate" -c 'import psycopg' 2>/dev/null; then python=$candidate && break; fi
        done
        [ -n "$python" ] || skip "python3 with psycopg is missing"
        export PYTHONPATH=$root/clients/python PYTHONDONTWRITEBYTECODE=1
        publish="$python $examples/publish_order.py"
        handle="exec $python $examples/handle_orders.py"
        ;;
    node)
        modules=${POSTRIDER_TEST_CLIENT_MODULES:-$root/build/client-tests/node_modules}
        command -v node >/dev/null || skip "node is missing"
        [ -d "$modules/pg" ] || skip "$modules has no pg"
        # Node.js looks for packages beside the file that imports them.
        place=$(mktemp -d)
        mkdir "$place/node_modules"
        ln -s "$modules"/* "$place/node_modules/"
        ln -s "$(realpath "$root/clients/node")" "$place/node_modules/postrider"
        cp "$examples"/*.mjs "$place"
        publish="node $place/publish_order.mjs"
        handle="exec node $place/handle_orders.mjs"
        ;;
    go)
        command -v go >/dev/null || skip "go is missing"
        place=$(mktemp -d)
        (cd "$examples" && GOCACHE=$place/cache go build -o "$place/handle_orders" handle_orders.go)
        publish="psql -Xqc \"select postrider.publish('order.placed', '{\\\"number\\\": \\\"A-42\\\"}')\""
        handle="exec $place/handle_orders"
        ;;
esac

. "$here/../support/fresh_database.sh"
fresh_database "$1" "clients_$language"
trap 'drop_database; [ -z "${place:-}" ] || rm -rf "$place"' EXIT
export PGDATABASE=$database
export POSTRIDER_DATABASE_URL="host='$PGHOST' port=$PGPORT user=$PGUSER dbname=$database"
unset PGOPTIONS

work() {
    "$postrider" work --consumer billing --on 'order.*' --from-beginning --once --children 1 \
        --pass-database --stay "$handle"
}
eval "$publish"
check "one order was committed" "select count(*) from postrider.message" 1
work
check "it is delivered" "select string_agg(status, ',') from postrider.outbox" delivered
[ "$language" != go ] || exit 0
check "it is in the ledger" "select count(*) || ' ' || min(order_number) || ' ' || sum(total) from ledger" "1 A-42 4200"

# Once more, by the same idempotency key: the inbox keeps the effect from happening twice.
psql -Xqc "select postrider.publish('order.placed', '{\"number\": \"A-42\", \"total\": 4200}', 'shop',
                                    p_idempotency_key => 'order A-42')" >/dev/null
work
check "both are delivered" "select string_agg(status, ',') from postrider.outbox" delivered,delivered
check "the effect happened once" "select count(*) from ledger" 1

# A handler's own error is terminal.
psql -Xqc "select postrider.publish('order.placed', '{\"number\": \"A-44\", \"total\": 0}', 'shop')" >/dev/null
work
check "it is a dead letter" "select status || ' ' || error_class from postrider.outbox order by seq desc limit 1" \
    "failed wrong_total"
