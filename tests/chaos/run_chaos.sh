#!/usr/bin/env bash
# run_chaos.sh <postrider-chaos> good|<invariant>[/<invariant>] [arguments of `run`]
# A run that must find nothing wrong, or one that must find one of these invariants broken. The histories of a run that
# disappoints stay where it says.
set -euo pipefail
program=$1 expected=$2
shift 2
place=$(mktemp -d "${TMPDIR:-/tmp}/postrider-chaos.XXXXXX")
chmod 755 "$place"
status=0
"$program" run --quiet --directory "$place" --json "$place/found.json" "$@" | tee "$place/said" || status=$?
last=$(tail -n 1 "$place/said")
case $last in
    "published "*", delivered "*", dead "*", duplicates "*" (explained "*"), lost "*", invented "*", unexplained "*) ;;
    *) echo "the last line is not the result" && exit 1 ;;
esac
if [ "$expected" = good ]; then
    [ "$status" -eq 0 ] && [[ $last == *"lost 0, invented 0, unexplained 0" ]] && grep -q 'inversions 0$' "$place/said" || exit 1
else
    if [ "$status" -ne 1 ] || ! grep -qE "\"(${expected//\//|})\":" "$place/found.json"; then
        echo "$expected was broken on purpose and not noticed"
        exit 1
    fi
fi
rm -rf "$place"
