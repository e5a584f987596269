# Packages of Debian 12 and Ubuntu 24.04, by purpose. Sourced by ./dev.

packages_for() {
    case $1 in
        build) echo g++ cmake make ninja-build pkg-config ccache libpq-dev libfmt-dev libcli11-dev libbenchmark-dev libspdlog-dev prometheus-cpp-dev \
            libcurl4-openssl-dev libcpp-httplib-dev libssl-dev zlib1g-dev nlohmann-json3-dev libjs-chart.js libnats-dev libhiredis-dev librdkafka-dev && native_packages ;;
        test) echo libgtest-dev libpqxx-dev openssl postgresql postgresql-client libfaketime pgbouncer nats-server redis-server python3 python3-psycopg dpkg-dev file ;;
        page) page_packages ;;
        fuzz) echo clang-14 libclang-rt-14-dev ;;
        run) echo postgresql postgresql-client ;;
        broker) echo nats-server ;;
        npm) echo npm ;;
        package) echo dpkg-dev file lintian ;;
        docs) echo mkdocs python3 ;;
        distribution) echo debootstrap ;;
        check) echo clang-format-14 clang-tidy-16 ;;
        *) die "no packages known for '$1'" ;;
    esac
}

# The headers for postrider_native that the distribution has; fetch_server_headers has the others.
native_packages() {
    ! grep -qx 'VERSION_CODENAME=bookworm' /etc/os-release 2>/dev/null || echo postgresql-server-dev-15
}

# For the tests of the page. Node may come from elsewhere and bring its npm; Ubuntu has Chromium in no package.
page_packages() {
    command -v node >/dev/null || echo nodejs
    command -v npm >/dev/null || echo npm
    command -v chromium-headless-shell >/dev/null || grep -q '^ID=ubuntu$' /etc/os-release 2>/dev/null || echo chromium-headless-shell
}

# need_packages <purpose>...: installs missing packages; instant when there are none.
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
    mend_cluster_defaults
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ -n "${POSTRIDER_NO_INSTALL:-}" ]; then
        die "missing packages: apt-get install ${missing[*]}"
    fi
    say "install ${missing[*]}"
    install_packages "${missing[@]}"
}

# In a subshell with its own traps. They run when apt-get has ended, with any result.
install_packages() (
    installer=$BASHPID
    trap restore_cluster_defaults EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    avoid_system_cluster &&
        as_root apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 \
            apt-get install -y -qq --no-install-recommends "$@" >/dev/null || exit
)

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

# may_be_root: whether as_root works without a password.
may_be_root() {
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

# The package postgresql creates and starts a system-wide cluster when it is first installed.
# Postrider brings its own, so that one is switched off, for this installation alone.
cluster_defaults=/etc/postgresql-common/createcluster.conf
cluster_original=/usr/share/postgresql-common/createcluster.conf
cluster_mark='# Of ./dev of Postrider, until it has installed its packages; process'
installer=

avoid_system_cluster() {
    [ ! -e "$cluster_defaults" ] || return 0
    as_root mkdir -p "$(dirname "$cluster_defaults")" || return
    printf '%s\n' "$cluster_mark $installer" 'create_main_cluster = false' | as_root tee "$cluster_defaults" >/dev/null
}

# cluster_owner: prints the process that wrote the file; nothing for a file of another program.
cluster_owner() {
    sed -n "s|^$cluster_mark \([0-9]*\)\$|\1|p" "$cluster_defaults" 2>/dev/null || true
}

restore_cluster_defaults() {
    trap '' HUP INT TERM
    [ -n "$installer" ] && [ "$(cluster_owner)" = "$installer" ] || return 0
    if [ -f "$cluster_original" ]; then
        # Independent of the umask: tools of every user read it.
        as_root install -m 644 "$cluster_original" "$cluster_defaults"
        as_root rm -f "$cluster_defaults.ucf-dist"
    else
        as_root rm -f "$cluster_defaults"
        as_root rmdir --ignore-fail-on-non-empty "$(dirname "$cluster_defaults")"
    fi
}

# A run that was killed could not restore them.
mend_cluster_defaults() {
    local owner
    owner=$(cluster_owner)
    [ -n "$owner" ] && [ ! -d "/proc/$owner" ] && [ -z "${POSTRIDER_NO_INSTALL:-}" ] || return 0
    say "restore $cluster_defaults, which an installation left behind that was killed"
    (installer=$owner && restore_cluster_defaults) || warn "$cluster_defaults could not be restored"
}
