# The driver that the tests of the Node.js client need. Sourced by ./dev.

# Exports POSTRIDER_TEST_CLIENT_MODULES when it is there. Never fails: the tests are skipped without it.
fetch_client_tests() {
    local dir="$root/build/client-tests" file
    if ! command -v npm >/dev/null; then
        warn "npm is missing, so the tests of the Node.js client are skipped"
        return 0
    fi
    mkdir -p "$dir"
    # Written last: marks a complete installation.
    if ! cmp -s tests/clients/package-lock.json "$dir/installed.json"; then
        say "fetch pg into build/client-tests"
        rm -f "$dir/installed.json"
        for file in package.json package-lock.json; do cp "tests/clients/$file" "$dir/"; done
        if ! (cd "$dir" && timeout 300 npm ci --silent --ignore-scripts --no-audit --no-fund >/dev/null 2>&1); then
            warn "npm ci failed, so the tests of the Node.js client are skipped"
            rm -rf "$dir"
            return 0
        fi
        cp tests/clients/package-lock.json "$dir/installed.json"
    fi
    export POSTRIDER_TEST_CLIENT_MODULES="$dir/node_modules"
}
