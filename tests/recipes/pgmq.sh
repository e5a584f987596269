#!/usr/bin/env bash
# pgmq.sh <postrider> <pgmq.sql>: the commands of docs/guides/pgmq.md, as they are printed, on pgmq's own SQL.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/pgmq.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
[ -s "$2" ] || { echo "no pgmq in $2: ./dev test fetches it" && exit 77; }
clusters_begin "$1"

statement() { guide_commands "$guide" "$1" "$2" sql >statement.sql && run_sql 5501 -f statement.sql; }
ask() { run_sql 5501 -c "$1"; }
# Dead letters, messages in the sibling queue, rows for diagnostics, messages in the live queue.
places() {
    ask "select concat_ws(' ', (select count(*) from postrider.dead_letters), (select count(*) from pgmq.q_pipeline_jobs_dlq),
                          (select count(*) from pipeline_dead_letters), (select count(*) from pgmq.q_pipeline_jobs))"
}
# The worker of the guide, whose retries come at once and which stops when nothing is left.
work() {
    eval "$(guide_commands "$guide" '## Setting up' 1 | sed 's/fixed:60s/immediate/') --once" >work.log 2>&1 || { cat work.log && exit 1; }
}

make_cluster home 5501
POSTRIDER_DATABASE_URL=$(url 5501)
export POSTRIDER_DATABASE_URL
postrider migrate up >/dev/null 2>&1
run_sql 5501 -f "$2" >/dev/null
statement '## Setting up' 1 >/dev/null
printf '#!/bin/sh\n[ ! -e broken ] || { echo "no speech" >&2; exit 65; }\n' >step && chmod +x step

ask "select pgmq.send('pipeline_jobs', '{\"recording_id\": \"r-7\"}')" >/dev/null
touch broken
for _ in 1 2 3 4 5; do work; done
must_be '1 1 1 0' "$(places)" 'after five failures'
must_be 'pipeline.exec|r-7|no speech' "$(statement '## When a message dies' 1 | cut -d'|' -f2-)" 'diagnostics'
must_be 'pipeline_jobs|pipeline|1|0|' "$(statement '## Operating' 1)" 'the list of pipelines'

statement '## Replaying' 1 >/dev/null
must_be '0 0 0 0' "$(places)" 'after a replay by Postrider'
for _ in 1 2 3 4 5; do work; done
must_be '1 1 1 0' "$(places)" 'after it died again'

must_be '2|t' "$(statement '## Replaying' 2)" 'moved by pgmq'
must_be '0 0 0 1' "$(places)" 'after a replay by pgmq'
rm broken
work
must_be '0 0 0 0' "$(places)" 'after it was handled'
must_be 0 "$(ask "select count(*) from postrider.delivery where status in ('pending', 'in_flight')")" 'nothing is left to run'

# A program of its own takes the first attempt; the worker has the others.
ask "select pgmq.send('pipeline_jobs', '{\"recording_id\": \"r-8\"}')" >/dev/null
statement '## Programs that read the queue themselves' 1 >/dev/null
must_be '0 0 0 0' "$(places)" 'while it is retried'
must_be 'pending 1' "$(ask "select concat_ws(' ', status, attempts) from postrider.delivery where payload ->> 'recording_id' = 'r-8'")" 'handed over'
touch broken
ask "update postrider.delivery set available_at = now() where status = 'pending'" >/dev/null
for _ in 1 2 3 4; do work; done
must_be '1 1 1 0' "$(places)" 'after it died'
must_be 3 "$(ask 'select original_msg_id from pipeline_dead_letters')" 'its number in the live queue'
