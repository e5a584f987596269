# Headers of PostgreSQL servers that this system does not have, for postrider_native. Sourced by ./dev.
# Debian has 17 in trixie and 18 in sid; the packages are unpacked, not installed.

# Unpacks them into build/server-headers. Never fails: the library is not built for versions without headers.
fetch_server_headers() {
    local dir="$root/build/server-headers" pair missing=
    [ ! -e "$dir/complete" ] && [ -z "${POSTRIDER_NO_INSTALL:-}" ] || return 0
    command -v apt-get >/dev/null && [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || return 0
    say "unpack the server headers of PostgreSQL 17 and 18 into build/server-headers"
    mkdir -p "$dir"
    for pair in 17:trixie 18:sid; do
        if ! unpack_server_headers "$dir" "${pair%:*}" "${pair#*:}"; then
            missing=yes
            warn "the headers of PostgreSQL ${pair%:*} could not be fetched, so postrider_native is not built for it"
        fi
    done
    rm -rf "$dir/apt.$$"
    # A version that is missing is tried again with the next build.
    [ -n "$missing" ] || touch "$dir/complete"
}

# unpack_server_headers <dir> <major> <suite>. Two of ./dev may run at once, so each has its own lists.
unpack_server_headers() {
    local dir=$1 apt="$1/apt.$$/$3" uri package="postgresql-server-dev-$2"
    [ ! -e "/usr/include/postgresql/$2/server/postgres.h" ] || return 0
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1)
    [ -n "$uri" ] && mkdir -p "$apt/lists/partial" "$apt/archives/partial" || return 1
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $3 main" >"$apt/sources.list"
    local options=(-q -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt" -o Dir::Etc::sourcelist="$apt/sources.list"
                   -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root -o Acquire::Languages=none)
    timeout 300 apt-get "${options[@]}" update >/dev/null 2>&1 || return 1
    (cd "$apt" && timeout 300 apt-get "${options[@]}" download "$package" >/dev/null 2>&1) || return 1
    dpkg-deb -x "$apt/$package"_*.deb "$dir"
}
