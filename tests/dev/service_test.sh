#!/usr/bin/env bash
# service_test.sh <test>: ./dev up, down and psql, with a stub of the program.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
program="$checkout/build/release/bin/postrider"
export POSTRIDER_DATA_DIR="$scratch/data"
mkdir -p "$(dirname "$program")"
stub dpkg-query 'echo installed'
stub cmake ''

# program_does <script>
program_does() {
    stub postrider "$1"
    mv "$scratch/bin/postrider" "$program"
}

# Environment variables and configuration files are ignored: the demo must not run in a production database.
the_database_is_private() {
    mkdir -p "$scratch/home/.config/postrider"
    echo 'database = "postgresql:///company"' >"$scratch/home/.config/postrider/config.toml"
    export HOME="$scratch/home" POSTRIDER_DATABASE_URL=postgresql:///company
    unset XDG_CONFIG_HOME
    program_does 'echo "url=${POSTRIDER_DATABASE_URL-none}" "$@"; echo ready:'
    local command file
    for command in up psql; do
        "$checkout/dev" "$command" >"$scratch/printed" 2>"$scratch/said" || fail "$(cat "$scratch/said")"
        grep -q '^url=none .*--config ' "$scratch/printed" || fail "$command: $(cat "$scratch/printed")"
        file=$(sed -n 's/.*--config \([^ ]*\).*/\1/p' "$scratch/printed")
        # It exists, or the program refuses it, and names no database.
        ! grep -v '^#' "$checkout/$file" || fail "$command: $file says something"
    done
}

# cmake --install copies everything or nothing, and is tried after ./dev up.
up_builds_everything_that_is_installed() {
    stub cmake 'echo "$@" >>"'"$scratch"'/cmake"'
    program_does 'echo ready:'
    "$checkout/dev" up >/dev/null 2>"$scratch/said" || fail "$(cat "$scratch/said")"
    grep -q -- '--target postrider_package$' "$scratch/cmake" || fail "$(cat "$scratch/cmake")"
}

# In many containers no process reaps orphans.
down_ends_when_the_process_is_a_zombie() {
    mkdir -p "$POSTRIDER_DATA_DIR"
    program_does 'trap "exit 0" TERM; touch "'"$scratch"'/runs"; for _ in {1..400}; do sleep 0.05; done'
    # A parent that never waits.
    ("$program" up & echo $! >"$POSTRIDER_DATA_DIR/dev-up.pid" && exec sleep 50) &
    local parent=$! status=0
    until [ -e "$scratch/runs" ] && [ "$(cat "/proc/$parent/comm")" = sleep ]; do sleep 0.05; done
    timeout 20 "$checkout/dev" down 2>"$scratch/said" || status=$?
    kill "$parent"
    [ "$status" -eq 0 ] || fail "exit code $status: $(cat "$scratch/said")"
}

detached_twice_at_once_is_started_once() {
    program_does 'echo $$ >>"'"$scratch"'/started"; trap "exit 0" TERM; sleep 0.3; echo ready:; for _ in {1..400}; do sleep 0.05; done'
    local runs=() run
    for run in 1 2 3; do
        "$checkout/dev" up --detach >/dev/null 2>>"$scratch/said" &
        runs+=($!)
    done
    for run in "${runs[@]}"; do wait "$run" || fail "$(cat "$scratch/said")"; done
    "$checkout/dev" down 2>>"$scratch/said" || fail "$(cat "$scratch/said")"
    [ "$(wc -l <"$scratch/started")" -eq 1 ] || {
        xargs kill <"$scratch/started" 2>/dev/null || true
        fail "started: $(wc -l <"$scratch/started")"
    }
    ! kill -0 "$(cat "$scratch/started")" 2>/dev/null || [ ! -s "/proc/$(cat "$scratch/started")/cmdline" ] ||
        fail "it still runs"
    # The locks are free for the next start.
    timeout 20 "$checkout/dev" up --detach >/dev/null 2>>"$scratch/said" || fail "$(cat "$scratch/said")"
    "$checkout/dev" down 2>>"$scratch/said" || fail "$(cat "$scratch/said")"
}

"$1"
