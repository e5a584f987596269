#!/usr/bin/env bash
# physical_copy.sh <postrider>
# A base backup started beside the original: workers that expect a deployment refuse it until it is adopted, with the commands of
# docs/guides/moving.md. The original is unaffected.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
guide=$place/../../docs/guides/moving.md
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
# shellcheck source=tests/support/guide.sh
. "$place/../support/guide.sh"
clusters_begin "$1"
original=5501 copy=5502
PRODUCTION=$(url $original) STAGING=$(url $copy)

publish() {
    local n
    for n in $(seq "$2" "$3"); do
        postrider publish order.placed --source shop --payload "$n" --database "$(url "$1")" >/dev/null
    done
}

# work <port> <deployment>: prints the payloads that were delivered.
work() {
    local delivered=$clusters/delivered.$1
    : >"$delivered"
    postrider work --consumer billing --on 'order.*' --once --deployment "$2" --database "$(url "$1")" \
        --concurrency 1 --exec "cat >>'$delivered'; echo >>'$delivered'" 2>"$clusters/work.log" || {
        cat "$clusters/work.log"
        return 1
    }
    sort -n "$delivered" | paste -sd' '
}

deployment() { run_sql "$1" -c 'select name from postrider.deployment()'; }

make_the_original_and_its_copy() {
    make_cluster original $original
    postrider migrate up --database "$PRODUCTION" >/dev/null 2>&1
    eval "$(guide_commands "$guide" '## Copies for staging' 1)" >/dev/null
    run_sql $original -c "select postrider.create_consumer('billing')" >/dev/null
    publish $original 1 5
    server pg_basebackup -d "$(url $original postgres)" -D "$clusters/copy" --checkpoint fast --no-sync
    start_cluster copy $copy
}

# The names are still equal: nothing but the place gives the copy away.
the_copy_is_noticed() {
    must_fail 'port 5502 instead of 5501' postrider doctor --quiet --database "$STAGING"
    must_fail 'belongs to deployment production, expected staging' \
        postrider doctor --quiet --deployment staging --database "$STAGING"
    must_fail 'postrider adopt staging' work $copy staging
    must_fail PR019 run_sql $copy -v VERBOSITY=sqlstate -c "select postrider.require_deployment('staging')"
}

the_original_delivers() {
    must_be '1 2 3 4 5' "$(work $original production)" 'delivered by the original'
}

the_adopted_copy_delivers_only_its_own() {
    eval "$(guide_commands "$guide" '## Copies for staging' 2)" >/dev/null
    must_be staging "$(deployment $copy)" 'deployment of the copy'
    must_fail 'postrider adopt production' work $copy production
    must_be '' "$(work $copy staging)" 'delivered by the copy of what the original owed'
    publish $copy 101 102
    must_be '101 102' "$(work $copy staging)" 'delivered by the copy'
    [[ $(postrider doctor --deployment staging --database "$STAGING" || true) != *'looks like a copy'* ]]
}

the_original_is_unaffected() {
    must_be production "$(deployment $original)" 'deployment of the original'
    publish $original 6 7
    must_be '6 7' "$(work $original production)" 'delivered by the original afterwards'
}

make_the_original_and_its_copy
the_copy_is_noticed
the_original_delivers
the_adopted_copy_delivers_only_its_own
the_original_is_unaffected
