#!/usr/bin/env bash
# site_test.sh <root> <work dir>: the site of ./dev docs has every page and a search, and a broken link is found.
set -euo pipefail
root=$1 work=$2/site
command -v mkdocs >/dev/null || { echo "mkdocs is missing" && exit 77; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

rm -rf "$work"
"$root/tools/docs/build.sh" "$root" "$work"
for page in "$root"/docs/{guides,reference,decisions}/*.md; do
    html="$work/site/${page#"$root/"}"
    [ -s "${html%.md}.html" ] || fail "no page for $page"
done
grep -q '"location":"docs/guides/operating.html' "$work/site/search/search_index.json" || fail "the search knows no guide"
# Readable without a script.
grep -q 'stateDiagram-v2' "$work/site/docs/architecture.html" || fail "the diagrams are missing"

page="$work/site/docs/glossary.html"
for link in 'nowhere.html' 'README.html#nowhere' '#nowhere'; do
    cp "$page" "$work/glossary.html"
    echo "<a href=\"$link\">" >>"$page"
    ! python3 "$root/tools/docs/check_links.py" "$work/site" >"$work/said" || fail "not found: $link"
    grep -qF "docs/glossary.html: $link" "$work/said" || fail "$(cat "$work/said")"
    mv "$work/glossary.html" "$page"
done
