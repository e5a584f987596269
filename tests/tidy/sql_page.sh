#!/usr/bin/env bash
# sql_page.sh <postrider> <root>: the page of SQL functions is what the program prints, and every public function is on it.
set -euo pipefail
page="$2/docs/reference/sql.md"
diff -u "$page" <("$1" migrate print --reference) || {
    echo "refresh it: postrider migrate print --reference > docs/reference/sql.md"
    exit 1
}
missing=$(comm -23 \
    <(grep -lrE '^-- postrider: grant ' "$2/sql/functions" "$2/sql/compat" | xargs -n 1 basename -s .sql | LC_ALL=C sort) \
    <(sed -n 's/^### //p' "$page" | LC_ALL=C sort))
[ -z "$missing" ] || { echo "not on the page: $missing" && exit 1; }
