# Packages of Debian 12 and Ubuntu 24.04, by purpose. Sourced by ./dev.

packages_for() {
    case $1 in
        build) echo g++ cmake make ninja-build pkg-config ccache libpq-dev libfmt-dev libcli11-dev libbenchmark-dev libspdlog-dev prometheus-cpp-dev \
            libcurl4-openssl-dev libcpp-httplib-dev libssl-dev nlohmann-json3-dev libjs-chart.js ;;
        test) echo libgtest-dev libpqxx-dev openssl postgresql postgresql-client libfaketime ;;
        page) page_packages ;;
        fuzz) echo clang-14 libclang-rt-14-dev ;;
        run) echo postgresql postgresql-client ;;
        npm) echo npm ;;
        check) echo clang-format-14 clang-tidy-16 ;;
        *) die "no packages known for '$1'" ;;
    esac
}

# For the tests of the page. Node may come from elsewhere and bring its npm; Ubuntu has Chromium in no package.
page_packages() {
    command -v node >/dev/null || echo nodejs
    command -v npm >/dev/null || echo npm
    command -v chromium >/dev/null || grep -q '^ID=ubuntu$' /etc/os-release 2>/dev/null || echo chromium
}

# need_packages <purpose>...: installs what is missing; instant when nothing is.
need_packages() {
    local purpose package missing=()
    if ! command -v dpkg-query >/dev/null; then
        warn "this is not Debian or Ubuntu; needed: $(for purpose in "$@"; do packages_for "$purpose"; done | tr '\n' ' ')"
        return 0
    fi
    for purpose in "$@"; do
        for package in $(packages_for "$purpose"); do
            is_installed "$package" || missing+=("$package")
        done
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ -n "${POSTRIDER_NO_INSTALL:-}" ]; then
        die "missing packages: apt-get install ${missing[*]}"
    fi
    say "install ${missing[*]}"
    avoid_system_cluster
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    restore_cluster_defaults
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "root rights are needed and sudo is missing; run as root: $*"
    fi
}

# The package postgresql creates and starts a system-wide cluster when it is first installed.
# Postrider brings its own, so that one is switched off, for this installation alone.
cluster_defaults=/etc/postgresql-common/createcluster.conf
wrote_cluster_defaults=

avoid_system_cluster() {
    [ ! -e "$cluster_defaults" ] || return 0
    as_root mkdir -p "$(dirname "$cluster_defaults")"
    echo 'create_main_cluster = false' | as_root tee "$cluster_defaults" >/dev/null
    wrote_cluster_defaults=yes
}

restore_cluster_defaults() {
    [ -n "$wrote_cluster_defaults" ] || return 0
    local original=/usr/share/postgresql-common/createcluster.conf
    if [ -f "$original" ]; then
        as_root cp "$original" "$cluster_defaults"
        as_root rm -f "$cluster_defaults.ucf-dist"
    else
        as_root rm -f "$cluster_defaults"
        as_root rmdir --ignore-fail-on-non-empty "$(dirname "$cluster_defaults")"
    fi
}
