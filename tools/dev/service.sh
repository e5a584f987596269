# ./dev up, down and psql: the program with its private PostgreSQL. Sourced by ./dev.

program=build/release/bin/postrider
private=tools/dev/private.toml

# The directory the program itself chooses, so that ./dev and postrider agree.
data_dir() {
    if [ -n "${POSTRIDER_DATA_DIR:-}" ]; then
        echo "$POSTRIDER_DATA_DIR"
    elif [ "$(id -u)" -eq 0 ]; then
        echo /var/lib/postrider
    else
        echo "${XDG_DATA_HOME:-$HOME/.local/share}/postrider"
    fi
}

build_program() {
    need_packages build run
    # Without tests and benchmarks the first start is short. The whole package, so that `cmake --install build/release` works.
    if [ ! -f build/release/CMakeCache.txt ]; then need_packages test; fi
    configure_and_build release --target postrider_package
}

cmd_up() {
    local detach='' args=()
    # With it, the demo would run in the database that the variable names.
    unset POSTRIDER_DATABASE_URL
    while [ $# -gt 0 ]; do
        case $1 in
            --detach) detach=yes ;;
            --broker | --broker=nats) need_packages broker && args+=("$1") ;;
            *) args+=("$1") ;;
        esac
        shift
    done
    build_program
    if [ -z "$detach" ]; then
        say "postrider up --demo (Ctrl-C stops it)"
        exec "$program" up --config "$private" --demo ${args[@]+"${args[@]}"}
    fi
    start_detached ${args[@]+"${args[@]}"}
}

# In a subshell, whose end releases the lock.
start_detached() (
    local dir pid_file log pid lock
    dir=$(data_dir)
    pid_file="$dir/dev-up.pid"
    log="$dir/dev-up.log"
    # As the program does: root's server runs as another user, who must be able to enter.
    [ -d "$dir" ] || (umask "$([ "$(id -u)" -eq 0 ] && echo 022 || echo 077)" && mkdir -p "$dir")
    # Of two concurrent starts the second would overwrite the first one's process id, so `down` could not stop the first.
    exec {lock}>"$dir/dev-up.lock"
    flock "$lock"
    if pid=$(running_pid "$pid_file"); then
        say "already up, process $pid; ./dev down stops it"
        return 0
    fi
    say "postrider up --demo, log in $log"
    # The log contains the token of the page.
    (umask 077 && rm -f "$log" && : >"$log")
    setsid nohup "$program" up --config "$private" --demo "$@" >"$log" 2>&1 </dev/null {lock}>&- &
    pid=$!
    echo "$pid" >"$pid_file"
    for _ in $(seq 1 600); do
        if ! kill -0 "$pid" 2>/dev/null; then
            rm -f "$pid_file"
            cat "$log" >&2
            die "postrider up ended before it was ready"
        fi
        if grep -q '^ready:' "$log"; then
            cat "$log"
            say "up, process $pid; ./dev down stops it"
            return 0
        fi
        sleep 0.1
    done
    die "not ready after 60 seconds; see $log"
)

# running_pid <pid file>: prints the process if it is alive and really ours.
running_pid() {
    local pid
    pid=$(cat "$1" 2>/dev/null) && [ -n "$pid" ] || return 1
    tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q 'postrider up' || return 1
    echo "$pid"
}

cmd_down() {
    local pid_file pid
    take_nothing down "$@"
    pid_file="$(data_dir)/dev-up.pid"
    if ! pid=$(running_pid "$pid_file"); then
        rm -f "$pid_file"
        say "nothing to stop"
        return 0
    fi
    say "stop process $pid"
    kill -TERM "$pid"
    for _ in $(seq 1 300); do
        # A zombie is enough: in many containers no process reaps it, and kill -0 finds it for ever.
        if ! running_pid "$pid_file" >/dev/null; then
            rm -f "$pid_file"
            return 0
        fi
        sleep 0.1
    done
    die "process $pid did not stop within 30 seconds"
}

cmd_psql() {
    # Building is for the first time alone: a prompt should come at once.
    [ -x "$program" ] || build_program >&2
    unset POSTRIDER_DATABASE_URL
    exec "$program" --config "$private" psql "$@"
}
