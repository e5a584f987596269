#!/usr/bin/env bash
# jobs.sh <postrider>: the commands of docs/guides/job-recipes.md, one recipe after the other in the same database.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/job-recipes.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
clusters_begin "$1"

# recipe <heading> <number>: what its commands print.
recipe() { eval "$(guide_commands "$guide" "$1" "$2")" 2>said || { cat said && exit 1; }; }
ask() { run_sql 5501 -c "$1"; }
delivered() { timeout 30 postrider work --consumer mail --on '*' --handler mail.exec --once --quiet --exec true 2>&1 | sed -n 's/.*delivered: //p'; }
states() { for id in "$@"; do postrider jobs show "$id" --json | grep -o '"state": *"[a-z]*"' | cut -d'"' -f4; done | paste -sd' '; }

a_job_runs_later() {
    mapfile -t ids < <(recipe '## Run a job later' 1)
    guide_commands "$guide" '## Run a job later' 1 sql >statement.sql
    later=("${ids[@]}" "$(run_sql 5501 -f statement.sql)")
    must_be 0 "$(delivered)" 'delivered before their time'
    must_be 'waiting waiting waiting' "$(states "${later[@]}")" 'states'
}

a_job_runs_at_fixed_times() {
    recipe '## Run a job at fixed times' 1 >/dev/null
    # A worker fires the slot, and delivers its message.
    mkfifo slots
    exec 3<>slots
    postrider work --consumer mail --on bank.poll --handler mail.exec --exec "echo polled >>'$clusters/slots'" >work.log 2>&1 &
    worker=$!
    read -r -t 30 _ <&3 || { cat work.log && exit 1; }
    read -r -t 30 _ <&3 || { cat work.log && exit 1; }
    kill -TERM "$worker" && wait "$worker"
    must_be 2 "$(ask 'select count(*) from postrider.schedules')" 'schedules'
    postrider schedule remove poll-bank --reason 'end of the test' --yes >/dev/null
    delivered >/dev/null
}

a_job_runs_once_for_many_requests() {
    mapfile -t ids < <(recipe '## Run a job once' 1)
    must_be "${ids[0]}" "${ids[1]}" 'both requests have the same job'
    unique=${ids[0]}
    must_be 1 "$(ask "select count(*) from postrider.message where event_type = 'search.reindex'")" 'messages'
}

jobs_are_cancelled() {
    recipe '## Cancel jobs' 1 >/dev/null
    must_be 0 "$(delivered)" 'delivered after they were cancelled'
    must_be 'cancelled cancelled cancelled cancelled' "$(states "${later[@]}" "$unique")" 'states'
}

a_poison_message_is_set_aside() {
    printf '#!/bin/sh\n[ "$(cat)" != 1 ] || exit 65\n' >handle && chmod +x handle
    postrider publish order.placed --payload 1 >/dev/null
    postrider publish order.placed --payload 2 >/dev/null
    recipe '## Live with a poison message' 1 >groups
    grep -q 'exit:65' groups || { cat groups && exit 1; }
    must_be 'delivered pending' "$(ask "select string_agg(status::text, ' ' order by status::text) from postrider.outbox where event_type = 'order.placed'")" 'one was replayed'
    must_be 1 "$(delivered)" 'delivered after the replay'
}

a_deployment_loses_nothing() {
    local n
    # The old worker has a message in hand and others waiting while it is stopped.
    mkfifo old_runs may_end
    exec 4<>old_runs 5<>may_end
    printf '#!/bin/sh\necho "$(cat)" >>"%s/seen"\n' "$clusters" >handle-v2
    printf '#!/bin/sh\necho "$(cat)" >>"%s/seen"; echo >>"%s/old_runs"; read -r _ <"%s/may_end"\n' "$clusters" "$clusters" "$clusters" >handle-v1
    chmod +x handle-v1 handle-v2
    postrider work --consumer mail --on 'order.*' --handler mail.exec --concurrency 1 --exec ./handle-v1 >old.log 2>&1 &
    old=$!
    for n in $(seq 101 120); do postrider publish order.placed --payload "$n" >/dev/null; done
    read -r -t 30 _ <&4 || { cat old.log && exit 1; }
    (echo >&5)
    recipe '## Deploy without loss' 1 >/dev/null
    # --once ends when no message is left.
    timeout 60 postrider work --consumer mail --on 'order.*' --handler mail.exec --once --quiet --exec ./handle-v2 >old.log 2>&1
    kill -TERM "$new" && wait "$new"
    must_be '' "$(ask "select status from postrider.outbox where event_type = 'order.placed' and status <> 'delivered'")" 'messages that are not delivered'
    for n in $(seq 101 120); do grep -qx "$n" seen || { echo "$n was not handled" && cat seen && exit 1; }; done
}

make_cluster home 5501
POSTRIDER_DATABASE_URL=$(url 5501)
export POSTRIDER_DATABASE_URL
postrider migrate up >/dev/null 2>&1
must_be 0 "$(delivered)" 'delivered at first'
a_job_runs_later
a_job_runs_at_fixed_times
a_job_runs_once_for_many_requests
jobs_are_cancelled
a_poison_message_is_set_aside
a_deployment_loses_nothing
