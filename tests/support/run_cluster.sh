#!/usr/bin/env bash
# run_cluster.sh <postrider_test_cluster> start|stop <dir> [variable]
# The private PostgreSQL of one ctest run. Its files live below the temporary directory: the
# unprivileged user that runs the server can enter that one even when the checkout belongs to
# root, and socket paths stay short. <dir> gets the description, the file env.
# [variable] names the environment variable with the server's binaries; skipped while empty.
set -euo pipefail
program=$1 action=$2 dir=$3 variable=${4:-}
if [ -n "$variable" ] && [ -z "${!variable:-}" ]; then
    echo "$variable is not set"
    rm -rf "$dir"
    exit 77
fi

stop() {
    local place
    place=$(cat "$dir/place" 2>/dev/null) || return 0
    if [ -d "$place" ]; then
        "$program" stop "$place/cluster"
        rm -rf "$place"
    fi
    rm -rf "$dir"
}

start() {
    local place bin=()
    mkdir -p "$dir"
    place=$(mktemp -d "${TMPDIR:-/tmp}/postrider-test.XXXXXX")
    chmod 755 "$place"
    echo "$place" >"$dir/place"
    if [ -n "$variable" ]; then
        bin=(--bin "${!variable}")
        if [ "$(id -u)" -eq 0 ]; then
            # The server runs as another user, who may not reach the checkout.
            cp -a "$(dirname "${!variable}")" "$place/server"
            bin=(--bin "$place/server/$(basename "${!variable}")")
        fi
    fi
    "$program" start "$place/cluster" ${bin[@]+"${bin[@]}"}
    cp "$place/cluster/env" "$dir/env"
    cat "$dir/env"
}

# A run that was killed may have left its cluster behind.
stop
[ "$action" = stop ] || start
