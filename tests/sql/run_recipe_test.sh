#!/usr/bin/env bash
# run_recipe_test.sh <env file>: runs the consumer in plain SQL of sql/README.md as a user with the role postrider_worker.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/fresh_database.sh
. "$place/../support/fresh_database.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
fresh_database "$1" recipe
worker=$database
trap leave EXIT

leave() {
    drop_database
    psql -XqAt -d postgres -c "drop role if exists \"$worker\"" || true
}

in_database() { psql -XqAt -v ON_ERROR_STOP=1 -d "$database" "$@"; }

recipe() {
    { echo "set session authorization \"$worker\";" && guide_commands "$place/../../sql/README.md" '## A consumer in plain SQL' 1 sql; } |
        in_database -f - >/dev/null
}

in_database -c "create role \"$worker\" login in role postrider_worker"
recipe  # from here on there is a consumer
in_database -c "select postrider.publish('a', to_jsonb(n), p_priority => case n when 3 then 1 end) from generate_series(1, 3) n" >/dev/null
recipe  # messages of the log and those that wait, in turn
recipe
said=$(in_database -c "select string_agg(payload::text || ' ' || status, ', ' order by payload::text) from postrider.outbox")
[ "$said" = '1 delivered, 2 delivered, 3 delivered' ] || { echo "after the recipe: $said" && exit 1; }
