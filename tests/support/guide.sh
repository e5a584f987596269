# shellcheck shell=bash
# Sourced by tests that run the commands of a guide. guide_commands <file> <text> <number>: prints the shell block with this
# number (from 1) behind the first line that contains the text.
guide_commands() {
    awk -v text="$2" -v number="$3" '
        !found { found = index($0, text) > 0; next }
        /^```sh$/ { ++block; next }
        /^```/ { if (block == number) exit; next }
        block == number { print; printed = 1 }
        END { if (!printed) exit 1 }' "$1"
}
