# ./dev conformance: every requirement with the result of its tests. Sourced by ./dev.

cmd_conformance() {
    local preset=dev dir names
    need_packages build test
    configure_and_build "$preset"
    dir="build/$preset/tests/conformance"
    tests/conformance/requirements.sh "$root" check || die "the table of requirements is not in order"
    tests/conformance/requirements.sh "$root" page >docs/reference/conformance.md
    names=$(conformance_ctests | sed 's/\./\\./g' | paste -sd '|')
    say "test build/$preset"
    rm -rf "$dir/results" "$dir/junit.xml"
    ctest --test-dir "build/$preset" --parallel "${POSTRIDER_JOBS:-2}" --output-junit "$root/$dir/junit.xml" \
        --output-on-failure -R "^(conformance\\..*|$names)\$" >"$dir/ctest.log" 2>&1 || true
    conformance_table "$dir"
}

# The ctests that the table names besides the checks of its own folder.
conformance_ctests() {
    awk -F '\t' '$5 ~ /^(covered|different)$/ { n = split($4, tests, "; ")
            for (i = 1; i <= n; i++) if (tests[i] !~ /[\/:]/) print tests[i] }' tests/conformance/requirements.tsv | sort -u
}

# conformance_table <dir>: joins the table with what the tests said. A requirement is as good as its worst test.
conformance_table() {
    awk -F '\t' '
        FILENAME ~ /\.results$/ { split($0, part, " "); result[part[2]] = part[1]; next }
        FILENAME ~ /junit\.xml$/ {
            if (match($0, /<testcase name="[^"]*"/)) {
                name = substr($0, RSTART + 16, RLENGTH - 17)
                result[name] = $0 ~ /status="run"/ ? "ok" : ($0 ~ /status="fail"/ ? "failed" : "skipped")
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
