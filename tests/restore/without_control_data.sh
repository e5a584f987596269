#!/usr/bin/env bash
# without_control_data.sh <postrider>
# A server that does not permit pg_control_system(), and an owner of the database who is no superuser: everything works, and a
# dump that is restored has another identity.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/own_clusters.sh
. "$place/../support/own_clusters.sh"
clusters_begin "$1"

as_owner() { psql -XqAt -v ON_ERROR_STOP=1 "$@"; }

# forbid <database>: functions of pg_catalog belong to each database.
forbid() { psql -Xq -c 'revoke execute on function pg_control_system() from public' "$(url 5501 "$1")"; }

work() { postrider work --consumer billing --on '*' --once --quiet --exec cat --database "$1" 2>&1; }
delivered() { work "$1" | sed -n 's/.*delivered: //p'; }

make_cluster home 5501
forbid template1
forbid app
psql -Xq -c 'create role owner login createrole' -c 'alter database app owner to owner' \
    -c 'create database restored owner owner' "$(url 5501 postgres)"
app=$(url 5501 app owner) restored=$(url 5501 restored owner)
must_fail 'permission denied' as_owner -c 'select pg_control_system()' "$app"

postrider migrate up --database "$app" >/dev/null 2>&1
as_owner -c "select postrider.create_consumer('billing')" "$app" >/dev/null
postrider publish a --payload 1 --database "$app" >/dev/null
must_be 1 "$(delivered "$app")" 'delivered where pg_control_system() is forbidden'

postrider publish a --payload 2 --database "$app" >/dev/null
# Without the schema the dump would repeat the revocation, which is not the owner's to make.
pg_dump --schema postrider -d "$app" | as_owner "$restored" >/dev/null
must_fail 'Run: postrider rebase' work "$restored"
postrider rebase --database "$restored" >/dev/null
must_be 1 "$(delivered "$restored")" 'delivered by the restored dump'
must_be 1 "$(delivered "$app")" 'delivered by the original'
