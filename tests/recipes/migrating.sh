#!/usr/bin/env bash
# migrating.sh <postrider> outbox|pgmq|pgboss|river <pgmq.sql>: the statements of docs/guides/migrating.md move jobs that wait, and
# those alone.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/migrating.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
from=$2 pgmq=$3
[ "$from" != pgmq ] || [ -s "$pgmq" ] || { echo "no pgmq in $pgmq: ./dev test fetches it" && exit 77; }
clusters_begin "$1"

statement() { guide_commands "$guide" "$1" "$2" sql >statement.sql && run_sql 5501 -f statement.sql; }
# The messages of the log, one per line: payload, priority, attempts, whether it waits for its time.
published() {
    run_sql 5501 -c "select payload, coalesce(priority, 0), coalesce(max_attempts, 0), coalesce(available_at > now() + '30 minutes', false)
                     from postrider.message order by payload::text collate \"C\"" | paste -sd' '
}
delivered() {
    timeout 30 postrider work --consumer jobs --on '*' --once --quiet --exec true --database "$(url 5501)" 2>&1 | sed -n 's/.*delivered: //p'
}

from_outbox() {
    run_sql 5501 -f "$place/fixtures/outbox.sql"
    must_be 7 "$(statement '## A hand-written outbox' 1)" 'moved'
    must_be 3 "$(run_sql 5501 -c 'select count(*) from outbox')" 'rows that were sent stay'
    must_be 7 "$(delivered)" 'delivered'
    statement '## A hand-written outbox' 2
    run_sql 5501 -c "begin; insert into outbox (event_type, payload) values ('order.placed', '11'); rollback" \
        -c "insert into outbox (event_type, payload) values ('order.placed', '12')"
    must_be 1 "$(delivered)" 'published by the trigger, with its commit'
}

from_pgmq() {
    # The file is a script of CREATE EXTENSION.
    run_sql 5501 -c 'create schema pgmq' -c "$(grep -v '^\\\\echo\|pg_extension_config_dump' "$pgmq")" >/dev/null
    run_sql 5501 -c "select pgmq.create('orders')" -c "select pgmq.send('orders', jsonb_build_object('order', i)) from generate_series(1, 5) i" \
        -c "select msg_id from pgmq.read('orders', 600, 2)" >/dev/null
    must_be 3 "$(statement '## pgmq' 1)" 'moved'
    must_be 2 "$(run_sql 5501 -c 'select count(*) from pgmq.q_orders')" 'messages that were read stay'
    must_be 3 "$(delivered)" 'delivered'
}

from_pgboss() {
    run_sql 5501 -f "$place/fixtures/pgboss.sql"
    must_be 3 "$(statement '## pg-boss' 1)" 'moved'
    must_be 3 "$(run_sql 5501 -c 'select count(*) from pgboss.job')" 'jobs that run or have ended stay'
    must_be '{"order": 1}|0|3|f {"order": 2}|5|2|f {}|0|3|t' "$(published)" 'messages'
    must_be 2 "$(delivered)" 'delivered'
}

from_river() {
    run_sql 5501 -f "$place/fixtures/river.sql"
    must_be 3 "$(statement '## River' 1)" 'moved'
    must_be 3 "$(run_sql 5501 -c 'select count(*) from river_job')" 'jobs that run or have ended stay'
    must_be '{"order": 1}|0|25|f {"order": 2}|-3|1|f {"order": 3}|0|25|t' "$(published)" 'messages'
    must_be 2 "$(delivered)" 'delivered'
}

make_cluster home 5501
postrider migrate up --database "$(url 5501)" >/dev/null 2>&1
must_be 0 "$(delivered)" 'delivered at first'
"from_$from"
