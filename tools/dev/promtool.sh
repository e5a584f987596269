# promtool, which checks deploy/prometheus. Sourced by ./dev.
# It is part of the package prometheus, which would also install a server and start it: only the one file is taken.

# Never fails: the test of the alerts is skipped without it.
fetch_promtool() {
    local dir="$root/build/promtool"
    [ ! -x "$dir/promtool" ] && ! command -v promtool >/dev/null || return 0
    command -v apt-get >/dev/null || return 0
    say "fetch promtool into build/promtool"
    # In a subshell: an error ends only that.
    if ! (unpack_promtool "$dir"); then
        warn "promtool could not be fetched, so Prometheus does not judge the alerts"
        rm -rf "$dir.partial"
    fi
}

# unpack_promtool <dir>: apt checks the download against the signed lists of the distribution.
unpack_promtool() {
    local dir=$1 partial="$1.partial"
    rm -rf "$partial" && mkdir -p "$partial" || return 1
    download_prometheus "$partial" || {
        # The lists may be missing, or name a version that is gone.
        [ -z "${POSTRIDER_NO_INSTALL:-}" ] && may_be_root && as_root apt-get update -qq && download_prometheus "$partial"
    } || return 1
    dpkg-deb --fsys-tarfile "$partial"/prometheus_*.deb | tar -x -C "$partial" --no-same-owner ./usr/bin/promtool || return 1
    rm -rf "$dir" && mkdir -p "$dir" && mv "$partial/usr/bin/promtool" "$dir/" && rm -rf "$partial"
}

download_prometheus() {
    (cd "$1" && timeout 300 apt-get download -qq prometheus >/dev/null 2>&1)
}
