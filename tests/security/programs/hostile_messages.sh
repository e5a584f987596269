#!/usr/bin/env bash
# hostile_messages.sh python|node: no message that a producer can publish ends the child that it is handed to, and with it the runs of
# others, or keeps it busy: numbers of thousands of digits, deep documents, names of JavaScript's own properties, event types without end, lines
# of many megabytes. Skipped (77) where the language is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $1 in
    python)
        command -v python3 >/dev/null || exit 77
        export PYTHONPATH=$root/clients/python PYTHONDONTWRITEBYTECODE=1
        child=(python3 -c 'from postrider import serve; serve({"*": lambda message: message.payload["n"]})')
        ;;
    node)
        command -v node >/dev/null || exit 77
        ln -s "$root/clients/node" "$work/postrider"
        echo 'import { serve } from "./postrider/serve.js"; await serve({ "*": (message) => message.payload.n });' >"$work/child.mjs"
        child=(node "$work/child.mjs")
        ;;
esac
# message <run> <event type> <value of n>
message() {
    printf '{"run":%s,"message_id":"m","event_type":"%s","event_version":1,"source":"","idempotency_key":"k","attempts":1,"cycle":1,"payload":{"n":%s}}' "$@"
}
deep=$(printf '%5000s' | tr ' ' '[')$(printf '%5000s' | tr ' ' ']')
digits=$(printf '%100000s' | tr ' ' 9)
{
    echo '{"type":"hello","protocol":1,"consumer":"c","handler":"h","in_flight_max":100}'
    printf '{"type":"messages","messages":[%s,%s,%s]}\n' "$(message 1 a "$digits")" "$(message 2 a "$deep")" "$(message 3 a "1e400")"
    printf '{"type":"messages","messages":[%s,%s,%s]}\n' "$(message 4 constructor 1)" "$(message 5 __proto__ 1)" "$(message 6 toString '{"__proto__":1}')"
    printf '{"type":"messages","messages":['
    message 11 a "\"$(head -c 60000000 /dev/zero | tr '\0' x)\""
    printf ']}\n'
    for n in {7..10}; do printf '{"type":"messages","messages":[%s]}\n' "$(message "$n" "type$n" 1)"; done
} >"$work/lines"
timeout 10 "${child[@]}" <"$work/lines" >"$work/outcomes"
delivered=$(grep -o '"outcome":"delivered"' "$work/outcomes" | wc -l)
[ "$delivered" -eq 11 ] || { echo "$delivered of 11 messages were delivered:" && head -c 2000 "$work/outcomes" && exit 1; }
