#!/usr/bin/env bash
# run_blocks.sh <env file> <postrider> <root>: run_blocks.py for each page, in a fresh database of its own. Skipped (77) without the
# drivers of PostgreSQL for Python and Node.js, which ./dev test fetches.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$place/../support/fresh_database.sh"
env_file=$1 postrider=$2 root=$3
# The system's Python has the packages of the system.
! /usr/bin/python3 -c 'import psycopg' 2>/dev/null || export PATH=/usr/bin:$PATH
python3 -c 'import psycopg' 2>/dev/null || { echo "skipped: python3 has no psycopg" && exit 77; }
[ -d "${POSTRIDER_TEST_CLIENT_MODULES:-$root/build/client-tests/node_modules}/pg" ] || { echo "skipped: Node.js has no pg" && exit 77; }

pages=$("$place/run_blocks.py" "$postrider" "$root" --list)
[ "$(wc -w <<<"$pages")" -ge 9 ] || { echo "only these pages have blocks: $pages" && exit 1; }
for page in $pages; do
    (
        fresh_database "$env_file" "docs_$page"
        export PGDATABASE=$database
        unset PGOPTIONS
        "$place/run_blocks.py" "$postrider" "$root" "$page"
    )
    echo "$page: its blocks run"
done
