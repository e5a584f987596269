#!/usr/bin/env bash
# The rules catch what they promise to catch: each violation is planted alone in a small clean
# repository, which must be refused with the expected words.
set -euo pipefail
rules=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=0

clean_repository() {
    rm -rf "$work/repository"
    mkdir -p "$work"/repository/{src/base,src/pg,sql/functions,include/postrider}
    cd "$work/repository"
    printf '# Title\n./dev up\n./dev test\n' >README.md
    printf '# Changelog\n\n## [Unreleased]\n' >CHANGELOG.md
    echo 'POSTRIDER_ERROR(usage, "PR001", 400, 64, "text")' >src/base/errors.def
    printf '#pragma once\n#include <libpq-fe.h>\n#include "base/b.hpp"\n' >src/pg/a.hpp
    printf '#pragma once\n#include <string>\n' >src/base/b.hpp
    printf -- "-- f(x): returns x. SELECT in a comment\nselect 'FROM', E'\\\\n' where 'PR001' = x;\n" >sql/functions/f.sql
    mkdir docs && echo 'channel, not topic' >docs/glossary.md
    printf 'place=$(mktemp -d /tmp/a.XXXXXX)\n' >script.sh
}

# must_refuse <words in the message> <file> <text, appended to the file>
must_refuse() {
    clean_repository
    mkdir -p "$(dirname "$2")"
    printf -- "$3\n" >>"$2"
    expect_words "$1"
}

expect_words() {
    local output
    cases=$((cases + 1))
    if output=$("$rules/tidy.sh" "$work/repository"); then
        echo "not refused: $1" && exit 1
    fi
    grep -qF -- "$1" <<<"$output" || {
        printf 'expected: %s\nprinted:\n%s\n' "$1" "$output"
        exit 1
    }
    [ "$(wc -l <<<"$output")" -eq 1 ] || {
        printf 'one violation expected, printed:\n%s\n' "$output"
        exit 1
    }
}

clean_repository
# Words in an allowed file, and words that only contain one.
mkdir -p src/embedded && echo '// the user nobody' >src/embedded/run_command.cpp
echo 'janewayanew, nobodys' >words.txt
"$rules/tidy.sh" "$work/repository" || { echo "the clean repository was refused" && exit 1; }

must_refuse 'unfinished work' src/base/b.hpp '// TO''DO: later'
must_refuse 'unfinished work' script.sh '# FIX''ME'
must_refuse 'path of one machine' script.sh 'cd /home/user/checkout'
must_refuse "write: consumer" README.md 'Every Subscribers gets it.'
must_refuse 'write: channel' docs/page.md 'Every topic is a log.'
must_refuse "'nobody': name the actor" README.md 'Nobody else gets it.'
must_refuse "'whoever': name the actor" src/base/b.hpp '// Whoever comes first.'
must_refuse "'everybody': name the actor" sql/views/v.sql '-- for everybody'
must_refuse "'somebody': name the actor" tests/unit/a_test.cpp 'TEST(a, a_lock_of_somebody_else_is_kept) {}'
must_refuse 'name the subject' src/base/b.hpp '/// Who skips the bell holds it.'
must_refuse 'name the subject' sql/functions/f.sql '-- What was claimed is handled.'
must_refuse 'name the subject' docs/page.md '- What failed stays.'
must_refuse "'anew'" docs/page.md 'It begins anew.'
must_refuse "'so many'" src/base/b.hpp '/// Waits for so many messages.'
must_refuse 'leads nowhere' README.md 'See [the pages](docs/pages.md#first), [us](https://example.org) and [here](#title).'
must_refuse "'issue #?[0-9]+'" README.md 'See issue #12 for the reason.'
must_refuse 'PR999 is missing' sql/functions/f.sql "select 'PR999';"
must_refuse 'PR998 is missing' src/base/b.hpp 'auto code = "PR998";'
must_refuse 'libpq-fe.h belongs to src/pg' src/base/b.hpp '#include <libpq-fe.h>'
must_refuse 'must not depend on src/pg' src/base/b.hpp '#include "pg/a.hpp"'
must_refuse 'public headers include' include/postrider/c.hpp '#pragma once\n#include <fmt/core.h>'
must_refuse 'SQL keywords are lower case' sql/functions/f.sql 'SELECT 1;'
must_refuse 'backslash in an ordinary literal' sql/functions/f.sql "select x ~ '\\\\s+', E'\\\\\\\\s+';"
must_refuse 'begin with a contract comment' sql/functions/g.sql 'create function g() as $$$$;'
must_refuse 'begin with a contract comment' sql/functions/g.sql '-- f(x): another name'
must_refuse '#pragma once is missing' src/base/d.hpp '// nothing'
must_refuse 'not as a drawer' src/base/utils.cpp '// anything'
must_refuse 'blank at the end' src/base/b.hpp 'int x; '
must_refuse 'indent with blanks' src/base/b.hpp '\tint x;'
must_refuse '800 are the limit' src/base/b.hpp "$(printf '//\\n%.0s' {1..801})"
must_refuse '70 are the limit' sql/functions/f.sql "create function f() as \$\$\\n$(printf 'x;\\n%.0s' {1..71})\$\$;"
must_refuse 'longer than 150' README.md "$(printf 'x\\n%.0s' {1..150})"

clean_repository && echo '# Title' >README.md && echo './dev test' >>README.md
expect_words 'does not name ./dev up'
clean_repository && rm README.md
expect_words 'README.md is missing'
clean_repository && echo '# Changelog' >CHANGELOG.md
expect_words 'Unreleased is missing'

# Two files of a unity build with a function of the same name.
clean_repository && mkdir -p build/Unity
printf 'namespace {\nint size_of(int given) {\n}  // namespace\n' >a.cpp
printf 'namespace {\nint size_of(long given) {\n}  // namespace\n' >b.cpp
printf '#include "%s"\n' "$PWD/a.cpp" "$PWD/b.cpp" >build/Unity/unity_0_cxx.cxx
! found=$("$rules/unity_names.py" build) || { echo "not refused: two functions of the same name" && exit 1; }
[[ $found == 'size_of() is in'* ]] || { echo "expected size_of(), printed: $found" && exit 1; }
cases=$((cases + 1))
echo "$cases planted violations were caught"
