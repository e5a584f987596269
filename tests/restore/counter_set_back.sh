#!/usr/bin/env bash
# counter_set_back.sh <promise> <postrider>
# The system identifier is the same, and the transaction counter is behind the log: after pg_resetwal, and after a dump was
# restored into an older physical copy of its cluster. Claims are refused until `postrider rebase` has run; then exactly the
# messages still owed are delivered.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
clusters_begin "$2"

make_the_cluster() {
    make_cluster home 5501
    postrider migrate up --database "$(url 5501)" >/dev/null 2>&1
}

# It refuses to claim, is rebased, and delivers.
must_be_rebased() {
    local port=$1 delivered=$clusters/delivered
    must_fail PR006 run_sql "$port" -v VERBOSITY=sqlstate -c "select * from postrider.claim(md5('b1')::uuid, 10)"
    must_fail 'postrider rebase' postrider doctor --quiet --database "$(url "$port")"
    postrider publish a --payload 7 --database "$(url "$port")" >/dev/null
    must_be 'consumer=billing channel=outbox_default deliveries=5' "$(postrider rebase --database "$(url "$port")")" rebase
    postrider publish a --payload 8 --database "$(url "$port")" >/dev/null
    : >"$delivered"
    postrider work --consumer billing --handler billing.all --on '*' --once --concurrency 1 \
        --exec "cat >>'$delivered'; echo >>'$delivered'" --database "$(url "$port")" 2>"$clusters/work.log"
    must_be '3 4 5 6 7 8' "$(sort -n "$delivered" | paste -sd' ')" 'delivered after the rebase'
}

a_counter_that_pg_resetwal_set_back_is_refused_until_rebased() {
    local before
    make_the_cluster
    before=$(run_sql 5501 -c 'select pg_current_xact_id()')
    run_sql 5501 -f "$place/fixtures/half_worked.sql"
    # Rows of transactions that the reset counter has not come to are visible only when they are frozen.
    server vacuumdb --maintenance-db "$(url 5501 postgres)" --all --freeze --quiet
    stop_cluster home
    server pg_resetwal -D "$clusters/home" -x "$before" >/dev/null
    start_cluster home 5501 autovacuum=off
    must_be_rebased 5501
}

a_dump_in_an_older_copy_of_its_cluster_is_refused_until_rebased() {
    make_the_cluster
    server pg_basebackup -d "$(url 5501 postgres)" -D "$clusters/older" --checkpoint fast --no-sync
    run_sql 5501 -f "$place/fixtures/half_worked.sql"
    start_cluster older 5502
    psql -Xq -c 'drop database app' -c 'create database app' "$(url 5502 postgres)"
    pg_dump -d "$(url 5501)" | run_sql 5502 >/dev/null
    must_be "$(run_sql 5501 -c 'select system_identifier from pg_control_system()')" \
        "$(run_sql 5502 -c 'select system_identifier from pg_control_system()')" 'system identifiers'
    must_be_rebased 5502
}

"$1"
