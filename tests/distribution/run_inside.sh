#!/usr/bin/env bash
# run_inside.sh <suite> <test> <version>: runs inside/<test>.sh in a new minimal system that has the packages of that suite in
# /packages. Skipped without root, debootstrap or packages.
set -euo pipefail
suite=$1 name=$2 version=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
packages="$root/build/packages/$suite"
say() { printf '==> %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
. "$root/tools/dev/systems.sh"

skip() {
    echo "$*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root makes systems"
command -v debootstrap >/dev/null || skip "debootstrap is missing"
ls "$packages"/*.deb >/dev/null 2>&1 || skip "no packages in build/packages/$suite: ./dev package"

system=$(mktemp -d "${TMPDIR:-/tmp}/postrider-system.XXXXXX")
trap 'rm -rf "$system"' EXIT
make_system "$suite" "$system"
mkdir "$system/packages"
cp "$packages"/*.deb "$system/packages/"
cp -r "$here/inside" "$root/tests/package/consumer" "$root/deploy/container/healthy" "$system/packages/"
in_system "$system" bash "/packages/inside/$name.sh" "$version"
