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
