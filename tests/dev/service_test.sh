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

# Whatever a shell or a user's file says: a demo in the database of a company is no demo.
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

"$1"
