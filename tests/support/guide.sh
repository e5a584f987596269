# shellcheck shell=bash
# Sourced by tests that run the commands of a guide. guide_commands <file> <text> <number> [language]: prints the block of the
# language (sh unless told) with this number, from 1, behind the first line that contains the text.
guide_commands() {
    awk -v text="$2" -v number="$3" -v fence="\`\`\`${4:-sh}" '
        !found { found = index($0, text) > 0; next }
        $0 == fence { ++block; next }
        /^```/ { if (block == number) exit; next }
        block == number { print; printed = 1 }
        END { if (!printed) exit 1 }' "$1"
}
