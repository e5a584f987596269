# Shared by the tests of ./dev: a copy of it in a scratch folder. Sourced; the last line
# of a test file runs the test that its first argument names.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Paths may contain blanks.
checkout="$scratch/a checkout"
mkdir -p "$checkout/tests/page" "$scratch/bin"
cp -r "$sources/dev" "$sources/tools" "$checkout/"
cp "$sources"/tests/page/package*.json "$checkout/tests/page/"
# Otherwise each copy would download them.
mkdir -p "$checkout/build/server-headers" && touch "$checkout/build/server-headers/complete"
export PATH="$scratch/bin:$PATH"
# Variables of the caller are not meant for the copy.
unset POSTRIDER_NO_INSTALL POSTRIDER_JOBS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE CDPATH

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# stub <program> <script>: replaces the program.
stub() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

# in_dev <commands>: runs them with everything that ./dev defines.
in_dev() {
    sed '/^command=/,$d' "$checkout/dev" >"$checkout/part"
    printf '%s\n' "$1" >>"$checkout/part"
    bash "$checkout/part"
}
