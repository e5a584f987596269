# Unknown arguments are rejected: a mistyped option must not run the command without it. Sourced by ./dev.

# refuse <problem>
refuse() {
    printf 'error: %s\n\n' "$*" >&2
    usage >&2
    exit 64
}

# take_nothing <command> <argument>...
take_nothing() {
    [ $# -eq 1 ] || refuse "'$2' means nothing to ./dev $1"
}

# take_ctest_arguments <argument>...: ctest ignores unknown arguments, and would run every test.
take_ctest_arguments() {
    local known argument value_may_follow=''
    [ $# -gt 0 ] || return 0
    known=$(ctest --help | grep '^  -' | grep -oE '(^ |[ ,])-[A-Za-z0-9.-]+' | tr -d ' ,') ||
        die "ctest --help lists no options"
    for argument in "$@"; do
        case $argument in
            -j[0-9]*) value_may_follow='' ;;
            -*)
                grep -qxF -e "${argument%%=*}" <<<"$known" || refuse "'$argument' means nothing to ./dev test or ctest"
                case $argument in *=*) value_may_follow='' ;; *) value_may_follow=yes ;; esac
                ;;
            *)
                [ -n "$value_may_follow" ] || refuse "'$argument' means nothing to ./dev test; a kind of test is --label $argument"
                value_may_follow=''
                ;;
        esac
    done
}
