#!/usr/bin/env bash
# libpq_calls.sh <libpostrider.a> <failing_libpq object>: every function of libpq that the library
# calls either can be broken by a test or is known never to talk to a server.
set -euo pipefail
silent='PQ(backendPID|clear|clientEncoding|cmdStatus|cmdTuples|conninfoFree|conninfoParse|enterPipelineMode|errorMessage'
silent+='|escapeIdentifier|escapeLiteral|exitPipelineMode|fformat|finish|fname|fnumber|freeCancel|freemem'
silent+='|getCancel|getisnull|getlength|getvalue|isBusy|isnonblocking|nfields|notifies|ntuples|parameterStatus|pipelineStatus|resultErrorField'
silent+='|resultErrorMessage|resultStatus|serverVersion|setNoticeProcessor|setnonblocking|socket|status'
silent+='|transactionStatus)'

used=$(nm -u "$1" 2>/dev/null | grep -o '\bPQ[A-Za-z]*' | sort -u)
breakable=$(nm "$2" | awk '$2 == "T" && $3 ~ /^PQ/ { print $3 }' | sort -u)
[ -n "$used" ] && [ -n "$breakable" ] || { echo "no functions found" && exit 1; }
forgotten=$(comm -23 <(echo "$used") <(echo "$breakable") | grep -vxE "$silent" || true)
[ -z "$forgotten" ] || {
    echo "used by the library, not breakable by tests/support/faults/failing_libpq.cpp:"
    echo "$forgotten"
    exit 1
}
