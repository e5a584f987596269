#!/usr/bin/env bash
# run_debian.sh <work dir> <cpack> <build dir> <version>: the Debian packages of a static build have their fields and files.
set -euo pipefail
work=$1/debian cpack=$2 build=$3 version=$4

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# must_have <package> <path>...: files that are not empty, or links to such files.
must_have() {
    local package=$1 path
    shift
    for path in "$@"; do [ -s "$work/$package/$path" ] || fail "$package: $path is missing"; done
}

# must_match <package> <field> <pattern>
must_match() {
    local value
    value=$(dpkg-deb -f "$work/$1".deb "$2")
    grep -qE -- "$3" <<<"$value" || fail "$1: $2 is '$value', expected $3"
}

rm -rf "$work" && mkdir -p "$work"
umask 077  # must not matter
"$cpack" --config "$build/CPackConfig.cmake" -B "$work" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
for file in "$work"/*_"$version"-1+*.deb; do
    package=$(dpkg-deb -f "$file" Package)
    mv "$file" "$work/$package.deb"
    dpkg-deb -x "$work/$package.deb" "$work/$package"
    must_match "$package" Maintainer '^[^<]+ <[^@]+@[^>]+>$'
    must_match "$package" Architecture "^$(dpkg --print-architecture)\$"
    must_match "$package" Description '^[a-z][^.]+$'
    must_match "$package" Depends 'libc6 '
    must_have "$package" "usr/share/doc/$package/copyright" "usr/share/doc/$package/changelog.Debian.gz"
    strange=$(dpkg-deb -c "$work/$package.deb" | grep -vE '^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) root/root ') || true
    [ -z "$strange" ] || fail "$package: owners and modes: $strange"
    ! grep -rqF -- "$build" "$work/$package" || fail "$package: names the build folder: $(grep -rlF -- "$build" "$work/$package")"
done

must_match postrider Depends 'libpq5 '
must_match postrider Recommends '^postgresql$'
must_have postrider usr/bin/postrider usr/share/postrider/postrider.sql usr/share/man/man1/postrider.1.gz \
    usr/share/man/man1/postrider-work.1.gz usr/share/bash-completion/completions/postrider \
    usr/share/zsh/vendor-completions/_postrider usr/share/fish/vendor_completions.d/postrider.fish \
    usr/lib/systemd/system/postrider-serve.service 'usr/lib/systemd/system/postrider-worker@.service' \
    usr/share/doc/postrider/README.md usr/share/doc/postrider/docs/guides/operating.md \
    usr/share/doc/postrider/deploy/prometheus/postrider-alerts.yml
[ "$("$work/postrider/usr/bin/postrider" version | head -n 1)" = "postrider $version" ] || fail "another version"
dpkg-deb -e "$work/postrider.deb" "$work/control"
for script in postinst prerm postrm; do
    [ -x "$work/control/$script" ] && sh -n "$work/control/$script" || fail "$script cannot be run"
done
others=$(cd "$work/postrider" && find . -type f | grep -vE '^./usr/(bin/postrider|share/(postrider|man/man1|doc/postrider)/.*|lib/systemd/system/.*|share/[a-z-]+/[a-z._-]+/_?postrider[.a-z]*)$') || true
[ -z "$others" ] || fail "postrider: unexpected files: $others"

for package in "$work"/postgresql-*-postrider.deb; do
    [ -e "$package" ] || break
    package=$(basename "$package" .deb)
    major=${package//[^0-9]/}
    must_match "$package" Depends "(^|, )postgresql-$major(,|\$)"
    must_have "$package" "usr/lib/postgresql/$major/lib/postrider_native.so" \
        "usr/share/postgresql/$major/extension/postrider_native.control" "usr/share/postgresql/$major/extension/postrider_native--1.sql" \
        "usr/lib/postrider/$major/postrider_native.so" "usr/lib/postrider/$major/extension/postrider_native.control"
done
