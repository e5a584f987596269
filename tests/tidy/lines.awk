# Rules that look at one line of one file at a time. Prints path:line: what is wrong.
# Variables: banned (path of banned_words.txt), codes (known SQLSTATEs separated by spaces), vague_allowed (path of
# vague_words_allowed.txt).

BEGIN {
    while ((getline line < banned) > 0) {
        if (line ~ /^#/ || line !~ /=/) continue
        cut = index(line, "=")
        word = substr(line, 1, cut - 1)
        instead[word] = substr(line, cut + 1)
        any_word = any_word (any_word == "" ? "" : "|") word
    }
    # mawk has no \b: lines are searched with a blank at either end.
    any_word = "[^a-z0-9_](" any_word ")s?[^a-z0-9_]"
    # Words that hide the actor: producer, worker, keeper, operator, caller. Parts of an identifier count, too.
    vague = "[^a-z0-9](whoever|somebody|nobody|everybody|anew|so[ _]many)[^a-z0-9]"
    while ((getline line < vague_allowed) > 0) {
        if (line ~ /^#/ || line !~ /=/) continue
        cut = index(line, "=")
        may_use[substr(line, 1, cut - 1)] = substr(line, cut + 1)
    }
    keywords = "SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|RETURNS|RETURN|LANGUAGE|" \
        "DECLARE|INTO|VALUES|JOIN|GRANT|REVOKE|RAISE|PERFORM|BEGIN|COMMIT|TABLE|FUNCTION|ORDER BY|GROUP BY"
    keywords = "[^A-Za-z0-9_](" keywords ")[^A-Za-z0-9_]"
    # Further layers may use nearer ones, never the other way round.
    allowed["base"] = " base "
    allowed["pg"] = " base pg "
    allowed["store"] = " base pg store "
    allowed["migrate"] = " base pg store migrate "
    allowed["embedded"] = " base pg store embedded "
    allowed["client"] = " base pg store client "
    allowed["worker"] = " base pg store migrate client worker "
    allowed["sinks"] = " base client sinks "
    allowed["relay"] = " base client relay "
    allowed["serve"] = " base pg store migrate serve "
    allowed["testing"] = " base pg store client worker testing "
}

function complain(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
}

FNR == 1 {
    path = FILENAME
    sub(/^\.\//, "", path)
    is_sql = path ~ /^(sql|tests\/sql)\/.*\.sql$/ && path !~ /\/expected\//
    is_cpp = path ~ /\.(cpp|hpp)$/
    is_public = path ~ /^include\//
    in_comment = 0
    checks_prose = !(path in may_use && may_use[path] == "*")
    layer = ""
    if (path ~ /^src\/[a-z0-9]+\//) {
        split(path, parts, "/")
        layer = parts[2]
    }
}

/[ \t]$/ && path !~ /\.(out|md)$/ { complain("blank at the end of the line") }
/\t/ && (is_cpp || is_sql) { complain("tab; indent with blanks") }

/TODO|FIXME|XXX/ && (" " $0 " ") ~ /[^A-Za-z0-9_](TODO|FIXME|XXX)[^A-Za-z0-9_]/ {
    complain("unfinished work; finish it or leave the note out")
}

(" " $0) ~ /[^A-Za-z0-9_.}~\/-]\/(work|home|root|Users)\/[A-Za-z0-9_]/ {
    complain("path of one machine")
}

# These pages name the words of other systems.
path != "docs/glossary.md" && path != "docs/guides/in-five-minutes.md" && path !~ /(^|\/)relay(s\.md|\.hpp|\/)|(^|\/)brokers(\.md|\/)|\/source_choice\.cpp$|^docs\/reference\/cli\.md$/ {
    lower = tolower(" " $0 " ")
    if (lower ~ any_word) {
        for (word in instead) {
            if (lower ~ ("[^a-z0-9_]" word "s?[^a-z0-9_]")) {
                complain("'" word "' is not our word, write: " instead[word])
            }
        }
    }
}

# A clause in place of the noun that it stands for. Headings of a page may ask without a question mark.
checks_prose && !/[?]/ && /^[ \t]*(\/\/+|--|#|\*|\/\*+|-)[ \t]+(What|Who|Whatever)[ \t]+[a-z]/ && !(path ~ /\.md$/ && /^#/) {
    complain("a sentence begins with 'What' or 'Who': name the subject")
}

checks_prose {
    rest = tolower(" " $0 " ")
    while (match(rest, vague)) {
        word = substr(rest, RSTART + 1, RLENGTH - 2)
        sub(/_/, " ", word)
        if (!(path in may_use && may_use[path] == word)) {
            complain(word == "anew" || word == "so many" ? "'" word "': write 'again', or the number's name" : \
                                                           "'" word "': name the actor")
        }
        rest = substr(rest, RSTART + RLENGTH - 1)
    }
}

/'PR[0-9A-Z][0-9A-Z][0-9A-Z]'|"PR[0-9A-Z][0-9A-Z][0-9A-Z]"/ && path ~ /^(sql|src)\// {
    rest = $0
    while (match(rest, /['"]PR[0-9A-Z][0-9A-Z][0-9A-Z]['"]/)) {
        code = substr(rest, RSTART + 1, 5)
        if (index(codes, " " code " ") == 0) complain(code " is missing in src/base/errors.def")
        rest = substr(rest, RSTART + RLENGTH)
    }
}

/libpq-fe\.h/ && /#[ ]*include/ && path !~ /^(src\/pg\/|tests\/support\/faults\/failing_libpq\.cpp$)/ { complain("libpq-fe.h belongs to src/pg") }

is_cpp && /^#[ ]*include/ && match($0, /["<][^">]*[">]/) {
    included = substr($0, RSTART + 1, RLENGTH - 2)
    if (is_public && path !~ /^include\/postrider\/adapters\// && included ~ /\// &&
        included !~ /^postrider\//) {
        complain("public headers include the standard library and postrider/ only")
    }
    if (layer in allowed && included ~ /^[a-z]+\/[a-z0-9_]+\.hpp$/ && included !~ /^postrider\//) {
        split(included, target, "/")
        if ((target[1] in allowed || target[1] == "cli") &&
            index(allowed[layer], " " target[1] " ") == 0) {
            complain("src/" layer " must not depend on src/" target[1])
        }
    }
}

is_sql {
    code_text = " " $0 " "
    sub(/--.*/, " ", code_text)
    gsub(/'[^']*'/, " ", code_text)
    if (code_text ~ keywords) complain("SQL keywords are lower case")
}

# The bodies of functions are parsed when they are called, with the caller's setting of standard_conforming_strings.
path ~ /^sql\/(functions|views)\// && /\\/ {
    code_text = $0
    sub(/--.*/, "", code_text)
    gsub(/[^A-Za-z0-9_]E'[^']*'/, " ", code_text)
    if (code_text ~ /\\/) complain("backslash in an ordinary literal; write E'\\\\', or a class such as [[:space:]]")
}

END { exit bad }
