# Dependencies of tests from npm: a browser driver and an audit for the operator's page, a driver of PostgreSQL for the
# Node.js client. Sourced by ./dev.

# Each exports the path of its packages if they are installed. Never fails: the tests are skipped without them.
fetch_page_tests() {
    # The shell without windows draws the same pages with less than half of the processor time.
    POSTRIDER_TEST_CHROMIUM=${POSTRIDER_TEST_CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || true)}
    export POSTRIDER_TEST_CHROMIUM
    ! fetch_modules tests/page page-tests "the page" || export POSTRIDER_TEST_PAGE_MODULES="$root/build/page-tests/node_modules"
}
fetch_client_tests() {
    ! fetch_modules tests/clients client-tests "the Node.js client" ||
        export POSTRIDER_TEST_CLIENT_MODULES="$root/build/client-tests/node_modules"
}

# fetch_modules <folder with package.json> <folder in build> <subject of the tests>
fetch_modules() {
    local from=$1 dir="$root/build/$2" file
    if ! command -v npm >/dev/null; then
        warn "npm is missing, so the tests of $3 are skipped"
        return 1
    fi
    mkdir -p "$dir"
    # Written last: marks a complete installation.
    if ! cmp -s "$from/package-lock.json" "$dir/installed.json"; then
        say "fetch what the tests of $3 need into build/$2"
        rm -f "$dir/installed.json"
        for file in package.json package-lock.json; do cp "$from/$file" "$dir/"; done
        if ! (cd "$dir" && timeout 300 npm ci --silent --ignore-scripts --no-audit --no-fund >/dev/null 2>&1); then
            warn "npm ci failed, so the tests of $3 are skipped"
            rm -rf "$dir"
            return 1
        fi
        cp "$from/package-lock.json" "$dir/installed.json"
    fi
}
