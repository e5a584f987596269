# Dependencies of the tests of the operator's page besides packages: a browser driver and an audit. Sourced by ./dev.

# Exports POSTRIDER_TEST_PAGE_MODULES when they are there. Never fails: the tests are skipped without them.
fetch_page_tests() {
    local dir="$root/build/page-tests" file
    if ! command -v npm >/dev/null; then
        warn "npm is missing, so the tests of the page are skipped"
        return 0
    fi
    mkdir -p "$dir"
    # Written last: marks a complete installation.
    if ! cmp -s tests/page/package-lock.json "$dir/installed.json"; then
        say "fetch what the tests of the page need into build/page-tests"
        rm -f "$dir/installed.json"
        for file in package.json package-lock.json; do cp "tests/page/$file" "$dir/"; done
        if ! (cd "$dir" && timeout 300 npm ci --silent --ignore-scripts --no-audit --no-fund >/dev/null 2>&1); then
            warn "npm ci failed, so the tests of the page are skipped"
            rm -rf "$dir"
            return 0
        fi
        cp tests/page/package-lock.json "$dir/installed.json"
    fi
    export POSTRIDER_TEST_PAGE_MODULES="$dir/node_modules"
}
