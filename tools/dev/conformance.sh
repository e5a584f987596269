# ./dev conformance: every requirement with the result of its tests. Sourced by ./dev.

cmd_conformance() {
    local preset=dev dir
    take_nothing conformance "$@"
    need_packages build test page
    fetch_page_tests
    fetch_pgmq
    configure_and_build "$preset"
    dir="build/$preset/tests/conformance"
    tests/conformance/requirements.sh "$root" check || die "the table of requirements is not in order"
    tests/conformance/requirements.sh "$root" page >docs/reference/conformance.md
    say "test build/$preset"
    rm -rf "$dir/results" "$dir/junit.xml"
    ctest --test-dir "build/$preset" --parallel "${POSTRIDER_JOBS:-2}" --output-junit "$root/$dir/junit.xml" \
        --output-on-failure -R "$(conformance_ctests)" >"$dir/ctest.log" 2>&1 || true
    conformance_table "$dir"
}

# A pattern for the ctests that the table names. A test of several instances has them around its name
# (unit.<instance>/suite.name/<value>), and ctest's patterns may have few parentheses.
conformance_ctests() {
    awk -F '\t' '
        $5 == "covered" || $5 == "different" {
            n = split($4, tests, "; ")
            for (i = 1; i <= n; i++) {
                if (tests[i] ~ /[\/:]/ || tests[i] in seen) continue
                seen[tests[i]]
                dots = split(tests[i], part, ".")
                pattern = pattern "|^" part[1] "\\." (dots > 2 ? ".*" part[2] "\\." part[3] : part[2] "$")
            }
        }
        END { print "^conformance\\." pattern }' tests/conformance/requirements.tsv
}

# conformance_table <dir>: joins the table with the tests' results. A requirement has the result of its worst test.
conformance_table() {
    awk -F '\t' '
        FILENAME ~ /\.results$/ { split($0, part, " "); result[part[2]] = part[1]; next }
        FILENAME ~ /junit\.xml$/ {
            if (match($0, /<testcase name="[^"]*"/)) {
                name = substr($0, RSTART + 16, RLENGTH - 17)
                if (sub(/\.[^\/.]+\//, ".", name)) sub(/\/.*/, "", name)
                verdict = $0 ~ /status="run"/ ? "ok" : ($0 ~ /status="fail"/ ? "failed" : "skipped")
                if (!(name in result) || result[name] == "ok") result[name] = verdict
            }
            next
        }
        /^# / { printf "\n%s\n", substr($0, 3); next }
        $1 == "id" { next }
        {
            total++
            verdict = $5 == "pending" ? "pending" : "ok"
            n = split($4, tests, "; ")
            for (i = 1; i <= n && verdict == "ok"; i++) {
                if (tests[i] ~ /:/) continue  # a page, looked at before
                if (result[tests[i]] != "ok") verdict = tests[i] in result ? result[tests[i]] : "not run"
            }
            if (verdict != "ok") failed++
            else if ($5 == "different") different++
            else covered++
            printf "  %-9s %-68.68s %s\n", $1, $2, verdict == "ok" && $5 == "different" ? "ok, different: " $6 : verdict
            for (i = 1; i <= n; i++) printf "  %-9s   %s\n", "", tests[i]
        }
        END {
            printf "\ncovered %d of %d, failed %d, deliberately different %d\n", covered, total, failed, different
            exit failed > 0
        }' "$1"/results/*.results "$1/junit.xml" tests/conformance/requirements.tsv
}
