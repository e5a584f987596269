#!/usr/bin/env bash
# run_fuzzer.sh <program> <target> <folder of seeds> <folder for findings> [seconds]
# Feeds one parser for a minute, beginning with its seeds. Inputs that crash it are kept in the last folder; put it among the
# seeds once it is mended.
set -euo pipefail
program=$1 target=$2 seeds=$3 found=$4 seconds=${5:-${POSTRIDER_FUZZ_SECONDS:-60}}
mkdir -p "$found/corpus"
export POSTRIDER_FUZZ_TARGET=$target
exec "$program" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$found/" -verbosity=0 "$found/corpus" "$seeds"
