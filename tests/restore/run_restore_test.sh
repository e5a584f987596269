#!/usr/bin/env bash
# run_restore_test.sh <promise> <env file> <postrider_test_cluster> <dir>
# The log of a fresh database in the shared cluster ("home") moves by pg_dump into a cluster of its
# own ("away"), which is started and stopped here.
set -euo pipefail
promise=$1 program=$3 dir=$4
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$place/../support/fresh_database.sh"
fresh_database "$2" restore
home=$PGHOST
trap leave EXIT

leave() {
    "$place/../support/run_cluster.sh" "$program" stop "$dir" || true
    PGHOST=$home psql -XqAt -d postgres -c "drop database if exists \"${database}_back\" with (force)" || true
    PGHOST=$home psql -XqAt -d "$database" -c "rollback prepared '$database'" 2>/dev/null || true
    PGHOST=$home drop_database
}

at_home() { PGHOST=$home psql -XqAt -v ON_ERROR_STOP=1 -v prepared="$database" -d "$database" "$@"; }
away() { PGHOST=$away psql -XqAt -v ON_ERROR_STOP=1 -d moved "$@"; }
back_home() { PGHOST=$home psql -XqAt -v ON_ERROR_STOP=1 -d "${database}_back" "$@"; }

# must_refuse <where> <statement>: it must fail with PR006.
must_refuse() {
    local said
    if said=$("$1" -v VERBOSITY=sqlstate -c "$2" 2>&1); then
        echo "not refused: $2 said: $said"
        exit 1
    fi
    [ "$said" = 'ERROR:  PR006' ] || { echo "refused otherwise: $2 said: $said" && exit 1; }
}

move_away() {
    "$place/../support/run_cluster.sh" "$program" start "$dir" >/dev/null
    away=$(sed -n 's/^PGHOST=//p' "$dir/env")
    PGHOST=$away psql -XqAt -d postgres -c 'create database moved template template0'
    PGHOST=$home pg_dump -d "$database" | away >/dev/null
    # Restored messages were not published here.
    [ "$(away -c 'select count(*) from postrider.epoch where rebased_at is null')" = 0 ]
}

a_log_moves_to_another_cluster() {
    at_home -f "$place/fixtures/in_every_state.sql"
    move_away
    must_refuse away "select * from postrider.claim(md5('b1')::uuid, 10)"
    must_refuse away "select * from postrider.claim_due(md5('b1')::uuid, 10)"
    must_refuse away "select postrider.register_worker(md5('new')::uuid, 'billing',
        '[{\"name\": \"billing.all\", \"event_types\": [\"*\"]}]')"
    away -f "$place/fixtures/rebased_and_drained.sql"
    at_home -f "$place/fixtures/home_goes_on.sql"
}

a_log_moves_back_to_its_first_cluster() {
    at_home -f "$place/fixtures/in_every_state.sql"
    move_away
    away -f "$place/fixtures/rebased_and_drained.sql"
    PGHOST=$home psql -XqAt -d postgres -c "create database \"${database}_back\" template template0"
    PGHOST=$away pg_dump -d moved | back_home >/dev/null
    must_refuse back_home "select * from postrider.claim(md5('b1')::uuid, 10)"
    back_home -f "$place/fixtures/rebased_again.sql"
}

"$promise"
