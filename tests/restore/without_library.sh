#!/usr/bin/env bash
# without_library.sh <folder of the library> <postrider>
# A database with the extension postrider_native is dumped, and restored where the server does not have the library: everything but the
# extension arrives, and claims are made in SQL.
set -euo pipefail
# shellcheck source=tests/support/own_clusters.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/own_clusters.sh"
library=$1
if [ ! -e "$library/postrider_native.so" ]; then
    echo "$library/postrider_native.so was not built"
    exit 77
fi
clusters_begin "$2"
home=5501 away=5502
HOME_APP=$(url $home) AWAY_APP=$(url $away)

# The extension belongs into folders of the server, which finds them relative to its own: this is a copy of the server, mostly of links.
start_home_with_the_library() {
    local copy=$clusters/server folder
    for folder in "$(pg_config --pkglibdir)" "$(pg_config --sharedir)"; do
        mkdir -p "$copy$folder"
        cp -rs "$folder/." "$copy$folder"
    done
    mkdir -p "$copy$server_bin"
    cp "$server_bin"/{initdb,pg_ctl,postgres} "$copy$server_bin"
    install -m 755 "$library/postrider_native.so" "$copy$(pg_config --pkglibdir)"
    install -m 644 "$library"/extension/* "$copy$(pg_config --sharedir)/extension"
    server_bin=$copy$server_bin make_cluster home $home
    run_sql $home -c 'alter database app set postrider.native = on'
    postrider migrate up --database "$HOME_APP" >/dev/null 2>&1
    must_be 1 "$(run_sql $home -c "select count(*) from pg_extension where extname = 'postrider_native'")" 'the extension'
    must_be '' "$(run_sql $home -c 'select postrider.native_trouble()')" 'native_trouble()'
    postrider work --consumer billing --on '*' --once --exec true --database "$HOME_APP" 2>/dev/null
    run_sql $home -c "select postrider.publish('order.placed') from generate_series(1, 10)" >/dev/null
}

make_the_database_away() {
    psql -XqAt -v ON_ERROR_STOP=1 -c 'drop database if exists app with (force)' -c 'create database app' \
        -c 'alter database app set postrider.native = on' "$(url $away postgres)"
}

claims_are_made_in_sql() {
    run_sql $away -c 'select * from postrider.rebase()' >/dev/null
    must_be 'wanted, but not made yet: run `postrider migrate up`' "$(postrider migrate status --database "$AWAY_APP" | sed -n 's/^native  *//p')" 'native'
    postrider work --consumer billing --on '*' --once --exec true --database "$AWAY_APP" 2>"$clusters/work.log" ||
        { cat "$clusters/work.log" && exit 1; }
    must_be 10 "$(run_sql $away -c "select count(*) from postrider.outbox where consumer = 'billing' and status = 'delivered'")" \
        'delivered'
}

start_home_with_the_library
make_cluster away $away
pg_dumpall --roles-only --dbname "$HOME_APP" | psql -Xq "$AWAY_APP" 2>/dev/null

# The extension and its comment are the only statements that fail.
pg_dump --dbname "$HOME_APP" >"$clusters/whole.sql"
make_the_database_away
psql -Xq "$AWAY_APP" -f "$clusters/whole.sql" 2>&1 >/dev/null | sed -n 's/^.*ERROR:  //p' >"$clusters/errors"
must_be 'extension "postrider_native" is not available
extension "postrider_native" does not exist' "$(cat "$clusters/errors")" 'errors of the restored dump'
claims_are_made_in_sql

# Left out of the dump, nothing fails.
pg_dump --format custom --extension plpgsql --dbname "$HOME_APP" --file "$clusters/without.dump"
make_the_database_away
pg_restore --exit-on-error --dbname "$AWAY_APP" "$clusters/without.dump"
claims_are_made_in_sql
