#!/usr/bin/env bash
# named_commands.sh <root>: the commands of postrider that pages and examples say to type exist, with their options. What
# exists is in docs/reference/cli.md, which is what the program prints.
set -euo pipefail
cd "$1"
{
    git ls-files '*.md' 'deploy/*' 2>/dev/null || find . -name '*.md' -not -path './build/*'
} | grep -vE '^(\./)?docs/reference/(cli|errors)\.md$' | xargs awk '
    FILENAME == "docs/reference/cli.md" {
        if (sub(/^## /, "")) command = $0
        known[command]
        if (/^Usage: .*SUBCOMMAND/) group[command]
        for (rest = $0; match(rest, /--[a-z][a-z-]*/); rest = substr(rest, RSTART + RLENGTH))
            has[command, substr(rest, RSTART, RLENGTH)]
        next
    }
    function complain(what) { printf "%s:%d: there is no %s\n", FILENAME, FNR, what; failed = 1 }
    # text: what is typed, from the name of the program to the end of the quotation or line
    function judge(text, words, n, command, option) {
        n = split(text, words, " ")
        if (n < 2 || words[2] !~ /^[a-z][a-z-]*$/) return
        command = words[1] " " (words[2] == "dlq" ? "dead-letters" : words[2])
        if (command in group && words[3] ~ /^[a-z]+$/) command = command " " words[3]
        if (!(command in known)) return complain("command " command)
        for (; match(text, /[ |]--[a-z][a-z-]*/); text = substr(text, RSTART + RLENGTH)) {
            option = substr(text, RSTART + 1, RLENGTH - 1)
            if (!((command, option) in has) && !(("postrider", option) in has)) complain("option " option " of " command)
        }
    }
    {
        line = $0
        sub(/ +#.*/, "", line)  # what is said beside a command
        while (match(line, /(^|`|\$ |ExecStart=\/usr\/bin\/|Try: )postrider [^`]*/)) {
            text = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            sub(/^.*postrider /, "postrider ", text)
            sub(/ [|;] .*/, "", text)  # another program
            judge(text)
            looked++
        }
    }
    END {
        if (looked < 50) { print "only " looked " commands were found: this check is broken"; failed = 1 }
        exit failed
    }' docs/reference/cli.md
