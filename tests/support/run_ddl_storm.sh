#!/usr/bin/env bash
# run_ddl_storm.sh <env file>: workers claim through the library while every kind of change is made to the tables. No claim may
# fail, no message may be lost or handed out twice, and claims must go on natively.
# POSTRIDER_STORM_SECONDS says how long, POSTRIDER_STORM_PAUSE how many seconds are between publications: on a server that checks
# itself (native/README.md) a claim takes seconds.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fresh_database.sh"
seconds=${POSTRIDER_STORM_SECONDS:-8}
pause=${POSTRIDER_STORM_PAUSE:-0.005}
fresh_database "$1" ddl_storm
unset PGOPTIONS
export PGDATABASE=$database
include=$(cd "$(dirname "${BASH_SOURCE[0]}")/../native/include" && pwd)
run=(psql -X -q -v ON_ERROR_STOP=1 -At)
work=$(mktemp -d)
trap 'rm -rf "$work"; drop_database' EXIT

"${run[@]}" -f "$include/storm.sql" >"$work/workers"
mapfile -t workers < <(grep -E '^[0-9a-f-]{36}$' "$work/workers")
for worker in "${workers[@]}"; do
    "${run[@]}" -c "set track_functions = 'pl'" \
        -c "call promise.claim_all('$worker')" >"$work/claims.$worker" 2>&1 &
    claims+=($!)
done
"${run[@]}" -c "call promise.publish_for('$seconds s', $pause)" >"$work/publish" 2>&1 &
claims+=($!)
end=$((SECONDS + seconds))
while [ "$SECONDS" -lt "$end" ]; do
    "${run[@]}" -f "$include/storm_ddl.sql" -f "$include/storm_concurrently.sql"
    echo turn
done >"$work/storm" 2>&1 &
storm=$!
status=0
for pid in "${claims[@]}"; do wait "$pid" || status=1; done
wait "$storm" || status=1
cat "$work"/claims.* "$work/publish" "$work/storm"
[ "$status" -eq 0 ] || exit 1
"${run[@]}" <<'SQL'
select format('%s published, %s handed out, %s different ones; %s claims native, %s in SQL',
              (select sum(count) from promise.published), (select count(*) from promise.seen),
              (select count(distinct seq) from promise.seen), (select sum(native) from promise.claims),
              (select sum(in_sql) from promise.claims));
do $$
begin
    assert (select count(distinct seq) from promise.seen) = (select sum(count) from promise.published), 'lost';
    assert (select count(*) from promise.seen) = (select count(distinct seq) from promise.seen), 'handed out twice';
    assert (select sum(native) from promise.claims) > (select sum(native + in_sql) from promise.claims) / 4, 'most claims were made in SQL';
end
$$;
SQL
