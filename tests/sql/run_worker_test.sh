#!/usr/bin/env bash
# run_worker_test.sh <env file> <postrider>: a worker from its start to its end, with messages that are delivered, retried and
# refused. It works as a role that is no superuser.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../support/fresh_database.sh"
fresh_database "$1" worker
program=$2
place=$(mktemp -d "${TMPDIR:-/tmp}/postrider-worker.XXXXXX")
role="worker_$$"
worker=''

clean_up() {
    [ -z "$worker" ] || kill -KILL "$worker" 2>/dev/null || true
    drop_database
    psql -XqAt -d postgres -c "drop role if exists $role" || true
    rm -rf "$place"
}
trap clean_up EXIT

fail() {
    printf '%s\n' "$*" "worker:" "$(cat "$place/log")"
    exit 1
}
sql() { psql -XqAt -v ON_ERROR_STOP=1 -d "$database" -c "$1"; }

sql "create role $role login in role postrider_producer, postrider_worker"
export POSTRIDER_DATABASE_URL="dbname=$database user=$role"
cat >"$place/handler" <<'SH'
#!/bin/sh
# Order 7 succeeds at the second attempt, order 9 never.
payload=$(cat)
case $payload in
    *'"order": 7}'*) [ "$POSTRIDER_ATTEMPTS" -ge 2 ] || exit 75 ;;
    *'"order": 9}'*) exit 65 ;;
esac
echo "$payload" >>"$PLACE/delivered"
SH
chmod +x "$place/handler"
mkfifo "$place/delivered"
exec 3<>"$place/delivered"
PLACE=$place "$program" work --consumer shop --on 'order.*' --retry immediate --exec "$place/handler" >"$place/log" 2>&1 &
worker=$!

# A consumer gets messages from its first worker on.
until [ "$(sql 'select count(*) from postrider.workers')" = 1 ]; do
    kill -0 "$worker" 2>/dev/null || fail "the worker ended"
done
sql "set role $role; select count(postrider.publish('order.placed', jsonb_build_object('order', i))) from generate_series(1, 40) i" >/dev/null
for _ in $(seq 39); do
    read -r -t 60 _ <&3 || fail "not all messages came: $(sql 'select status, count(*) from postrider.outbox group by 1')"
done
kill -TERM "$worker"
wait "$worker" || fail "the worker ended with $?"
worker=''
counted=$(sql "select string_agg(status || ' ' || n, ', ' order by status) from (select status::text, count(*) n from postrider.outbox group by 1) s")
[ "$counted" = 'delivered 39, failed 1' ] || fail "outbox: $counted"
[ "$(sql "select count(*) from postrider.outbox where status = 'failed' and error_class = 'exit:65'")" = 1 ] || fail "another dead letter"
