# Steps of the tests inside a system. Sourced.
set -euo pipefail
cd /packages

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# apt_get <argument>...: silent unless it fails.
apt_get() {
    apt-get -y "$@" >/tmp/apt.log 2>&1 || fail "apt-get $*: $(tail -n 20 /tmp/apt.log)"
}

# page_of_demo: starts `postrider up --demo` and fetches the page at the link that it prints; sets port.
page_of_demo() {
    local line answer
    port=''
    coproc demo { exec postrider up --demo 2>&1; }
    demo_process=$demo_PID
    while read -r line <&"${demo[0]}"; do
        printf '%s\n' "$line"
        port=$(sed -n 's,.*http://127\.0\.0\.1:\([0-9]*\)/.*,\1,p' <<<"$line")
        [ -z "$port" ] || break
    done
    [ -n "$port" ] || fail "postrider up printed no link"
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3
    answer=$(cat <&3)
    [[ $answer == 'HTTP/1.1 200 '*'<html'* ]] || fail "the page answered: ${answer:0:200}"
}

end_demo() {
    kill -TERM "$demo_process"
    # It writes until its end.
    cat <&"${demo[0]}" >/dev/null || true
    wait "$demo_process" || fail "postrider up ended with $?"
}
