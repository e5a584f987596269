#!/usr/bin/env bash
# logical_replication.sh <postrider>
# The log moves to another cluster by logical replication, with the commands of docs/guides/moving.md. Every mistake that the
# guide lists as refused is made.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/moving.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
clusters_begin "$1"
old=5501 new=5502
OLD=$(url $old) NEW=$(url $new)
section='## Blue/green upgrade'

in_old() { run_sql $old -v prepared=late "$@"; }
in_new() { run_sql $new "$@"; }
publish_in() { postrider publish a --payload 1 --database "$(url "$1")"; }
work_in() { timeout 20 postrider work --consumer billing --handler billing.all --on '*' --once --exec true --database "$(url "$1")"; }

start_the_old_cluster() {
    make_cluster old $old
    postrider migrate up --database "$OLD" >/dev/null 2>&1
    in_old -f "$place/fixtures/in_every_state.sql"
    in_old -f "$place/fixtures/many_channels.sql"
    in_old -c "commit prepared 'late'"  # a subscription waits for prepared transactions
}

# The old cluster goes on working: rows are updated and deleted, messages come, and some of them go into a new partition.
the_old_cluster_goes_on() {
    in_old -c "update postrider.setting set value = '12' where name = 'partitions_ahead'" \
        -c 'select postrider.ensure_partitions()' >/dev/null
    in_old -c "insert into postrider.message (event_type, payload, published_at) values ('a', '303', now() + interval '9 days')" \
        -c "select postrider.publish('a', '304')" \
        -c "delete from postrider.dead_letter_tally" \
        -c "select postrider.settle(worker_id, id, token) from postrider.lease
            where finished_at is null and worker_id = md5('m1')::uuid" >/dev/null
    postrider adopt production --reason 'an update without a primary key' --database "$OLD" >/dev/null
    in_old -c "drop table owed" -c "create table owed as
        select consumer, coalesce(handler, '') as handler, payload::int as n, status from postrider.outbox"
}

the_new_cluster_refuses_to_work() {
    must_fail 'Run: postrider rebase' publish_in $new
    must_fail 'Run: postrider rebase' work_in $new
    must_fail PR006 in_new -v VERBOSITY=sqlstate -c "insert into postrider.message (event_type) values ('a')"
    must_fail PR006 in_new -v VERBOSITY=sqlstate -c "select * from postrider.claim(md5('b1')::uuid, 10)"
    must_fail PR006 in_new -v VERBOSITY=sqlstate -c "select * from postrider.claim_due(md5('b1')::uuid, 10)"
    must_fail PR006 in_new -v VERBOSITY=sqlstate -c "select postrider.create_consumer('another')"
    must_fail 'postrider rebase' postrider doctor --quiet --database "$NEW"
    must_fail 'subscription postrider_move' postrider rebase --database "$NEW"
}

the_old_cluster_is_read_only() {
    must_fail read-only publish_in $old
    must_fail read-only work_in $old
}

# every_table_arrived: compares the number of rows of all tables.
every_table_arrived() {
    local count="select string_agg(c.relname || ' ' ||
            (xpath('/row/n/text()', query_to_xml('select count(*) as n from postrider.' || c.relname, false, true, '')))[1]::text,
            ', ' order by c.relname)
        from pg_class c where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition"
    must_be "$(in_old -c "$count")" "$(in_new -c "$count")" 'rows of the tables'
}

start_the_old_cluster
make_cluster new $new
eval "$(guide_commands "$guide" "$section" 1)" >/dev/null 2>&1
the_old_cluster_goes_on
the_new_cluster_refuses_to_work
switch=$(guide_commands "$guide" "$section" 2)
eval "${switch%%psql -X \"\$NEW\"*}" >/dev/null  # up to the moment when everything has arrived
every_table_arrived
eval "psql -X \"\$NEW\"${switch#*psql -X \"\$NEW\"}" >/dev/null
the_old_cluster_is_read_only
pg_dump --table public.owed "$OLD" | in_new >/dev/null
stop_cluster old immediate
in_new -f "$place/fixtures/arrived_by_replication.sql"
publish_in $new >/dev/null
work_in $new
