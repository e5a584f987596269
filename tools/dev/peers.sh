# The systems that ./dev bench peers and due measure beside Postrider. Sourced by ./dev.

# Installs them into build/peers and from Debian; exports POSTRIDER_BENCH_PEERS. The measured versions
# are pinned in bench/peers/package-lock.json.
install_peers() {
    local dir="$root/build/peers" server
    server=$(pg_config --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
    command -v npm >/dev/null || need_packages npm
    is_installed "postgresql-$server-pgq3" || install_pgq "$server"
    mkdir -p "$dir"
    if ! cmp -s bench/peers/package-lock.json "$dir/installed.json"; then
        say "install the peers from npm into build/peers"
        cp bench/peers/package.json bench/peers/package-lock.json "$dir"
        # npm's own Node.js may be too old for the peers, which have their own.
        (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
            die "npm could not install the peers; see above"
        tar -xzOf "$dir/node_modules/@electric-sql/pglite-pgmq/dist/pgmq.tar.gz" \
            share/postgresql/extension/pgmq--1.11.1.sql >"$dir/pgmq.sql" || die "pgmq's SQL is not where it was"
        cp bench/peers/package-lock.json "$dir/installed.json"
    fi
    cp bench/peers/*.mjs "$dir"
    export POSTRIDER_BENCH_PEERS="$dir"
}

# PgQ is a Debian package per version of the server; without it the others are measured.
install_pgq() {
    if [ -n "${POSTRIDER_NO_INSTALL:-}" ]; then
        warn "missing package: postgresql-$1-pgq3; PgQ is left out"
        return 0
    fi
    say "install postgresql-$1-pgq3"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "postgresql-$1-pgq3" >/dev/null || warn "postgresql-$1-pgq3 could not be installed; PgQ is left out"
}

# pgmq's SQL alone, for the tests of the relay. Never fails: without it they are skipped.
fetch_pgmq() {
    local dir="$root/build/peers"
    [ ! -s "$dir/pgmq.sql" ] || return 0
    command -v npm >/dev/null || { warn "npm is missing, so the tests of the relay to pgmq are skipped" && return 0; }
    say "fetch pgmq into build/peers"
    # In a subshell: an error ends only that.
    (unpack_pgmq "$dir") || warn "pgmq could not be fetched, so the tests of the relay to it are skipped"
    rm -rf "$dir/pgmq.partial"
}

# unpack_pgmq <dir>: the version and the checksum are those of bench/peers/package-lock.json.
unpack_pgmq() {
    local partial="$1/pgmq.partial" name=@electric-sql/pglite-pgmq entry version integrity
    entry=$(grep -A 4 "\"node_modules/$name\": {" "$root/bench/peers/package-lock.json") || return 1
    version=$(sed -n 's/.*"version": "\([^"]*\)".*/\1/p' <<<"$entry")
    integrity=$(sed -n 's/.*"integrity": "\([^"]*\)".*/\1/p' <<<"$entry")
    rm -rf "$partial" && mkdir -p "$partial" || return 1
    (cd "$partial" && timeout 300 npm pack --json "$name@$version" 2>/dev/null) | grep -qF "\"$integrity\"" || return 1
    tar -xzOf "$partial"/*.tgz package/dist/pgmq.tar.gz |
        tar -xzO share/postgresql/extension/pgmq--1.11.1.sql >"$partial/pgmq.sql" || return 1
    mv "$partial/pgmq.sql" "$1/pgmq.sql"
}
