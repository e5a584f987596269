# Makes tests cheaper: memory for their temporary files, mostly those of PostgreSQL servers, and a psql that starts quickly. Sourced by ./dev.

# take_scratch: exports TMPDIR, a fresh folder in /dev/shm, where files cost no work of a file system, and removes it at the end.
# Leaves TMPDIR alone if it is set, and where there is too little memory or programs cannot be started from there.
take_scratch() {
    local room memory folder
    [ -z "${TMPDIR:-}" ] || return 0
    room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1) || return 0
    memory=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
    [ "${room:-0}" -ge 4000000 ] && [ "${memory:-0}" -ge 8000000 ] || return 0
    folder=$(mktemp -d /dev/shm/pr.XXXX) || return 0  # short: paths of sockets have at most 107 characters
    # The servers run as another user.
    chmod 755 "$folder"
    printf '#!/bin/sh\n' >"$folder/program"
    chmod 755 "$folder/program"
    if "$folder/program" 2>/dev/null; then
        export TMPDIR=$folder
        trap 'rm -rf "$TMPDIR"' EXIT
    else
        rm -rf "$folder"
    fi
}

# prefer_plain_psql: Debian's psql is a Perl script that chooses a version; it takes several times as long to start as psql.
prefer_plain_psql() {
    local folder
    folder=$(pg_config --bindir 2>/dev/null) || return 0
    [ ! -x "$folder/psql" ] || export PATH="$folder:$PATH"
}
