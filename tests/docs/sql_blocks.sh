#!/usr/bin/env bash
# sql_blocks.sh <env file> <root>: the SQL blocks of README.md and the guides run, each in the same fresh database. Blocks of guides
# that have a test of their own are left to it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../support/fresh_database.sh"
fresh_database "$1" sql_blocks
root=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/postrider-docs.XXXXXX")
trap 'drop_database; rm -rf "$work"' EXIT
run() { psql -XqAt -v ON_ERROR_STOP=1 -d "$database" "$@"; }

# The objects that the blocks require.
run >/dev/null <<'SQL'
create table orders (customer text, total int);
select postrider.register_worker(gen_random_uuid(), 'search', '[{"name": "search.reindex", "event_types": ["search.*"]}]');
select postrider.create_consumer('importer');
SQL

count=0
for page in "$root/README.md" "$root"/docs/guides/*.md; do
    case $(basename "$page") in
        # recipes.jobs_move_from_*, recipes.jobs_work_as_they_are_printed, recipes.a_pipeline_on_pgmq_works_as_it_is_printed, e2e.guide.*, native.switch
        migrating.md | job-recipes.md | pgmq.md | dead-letters.md | operating.md) continue ;;
    esac
    rm -f "$work"/block_*
    awk -v place="$work/block_" '/^```/ { open = !open; if (open && $0 == "```sql") { file = place (++n); next } file = "" } file { print >file }' "$page"
    for block in "$work"/block_*; do
        [ -e "$block" ] || break
        run -f "$block" >/dev/null || { echo "$page: its block $(basename "$block" | tr -dc 0-9) fails" && exit 1; }
        count=$((count + 1))
    done
done
[ "$count" -ge 4 ] || { echo "only $count blocks were found" && exit 1; }
echo "$count blocks ran"
