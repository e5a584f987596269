#!/usr/bin/env bash
# cli_page.sh <postrider> <root> [page]: checks that docs/reference/cli.md is the help of the program.
# With "page" it prints the page.
set -euo pipefail
program=$1
page="$2/docs/reference/cli.md"

# commands_of <command>...: the subcommands that its help lists.
commands_of() {
    "$program" "$@" --help | sed -n '/^Subcommands:/,/^$/p' | sed -n 's/^  \([a-z-]*\)[ ,].*/\1/p'
}

# help_of <title> <command>...
help_of() {
    local title=$1
    shift
    printf '\n## %s\n\n```\n' "$title"
    "$program" "$@" --help | sed -e 's/[ ]*$//' -e :a -e '/^\n*$/{$d;N;ba' -e '}'
    printf '```\n'
}

print_page() {
    local command sub
    cat <<'TEXT'
# The program

Every command with its options and examples. This page is the output of `postrider --help` and
`postrider <command> --help`.

Exit codes: 0 on success, 64 for an invalid command line or input, otherwise the exit code of the
[error](errors.md). Errors go to stderr; with `--json` they are JSON as well. Passwords are not accepted in
arguments: use a password file, `POSTRIDER_DATABASE_URL` or the configuration file.
TEXT
    help_of postrider
    for command in $(commands_of); do
        help_of "postrider $command" "$command"
        for sub in $(commands_of "$command"); do
            help_of "postrider $command $sub" "$command" "$sub"
        done
    done
}

if [ "${3:-}" = page ]; then
    print_page
else
    diff -u "$page" <(print_page) || {
        echo "refresh it: tests/tidy/cli_page.sh <postrider> . page > docs/reference/cli.md"
        exit 1
    }
fi
