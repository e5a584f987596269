#!/usr/bin/env bash
# run.sh <env file> <program> <artefacts>: the page in a browser, in a fresh database. Skipped (77) where node, its
# modules (./dev test fetches them) or Chromium are missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export POSTRIDER_PROGRAM=$2 POSTRIDER_TEST_ARTEFACTS=$3
export POSTRIDER_TEST_PAGE_MODULES=${POSTRIDER_TEST_PAGE_MODULES:-$here/../../build/page-tests/node_modules}

skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null || skip "node is missing"
[ -d "$POSTRIDER_TEST_PAGE_MODULES/playwright-core" ] || skip "$POSTRIDER_TEST_PAGE_MODULES has no playwright-core"
POSTRIDER_TEST_CHROMIUM=${POSTRIDER_TEST_CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || true)}
[ -n "$POSTRIDER_TEST_CHROMIUM" ] || skip "chromium is missing"
export POSTRIDER_TEST_CHROMIUM

. "$here/../support/fresh_database.sh"
fresh_database "$1" page
export PGDATABASE=$database
export POSTRIDER_DATABASE_URL="host='$PGHOST' port=$PGPORT user=$PGUSER dbname=$database"
node --test --test-reporter=spec "$here/page_test.mjs"
