#!/usr/bin/env bash
# database_tls.sh <postrider>: the program reaches a server that accepts nothing but TLS, and refuses one that it cannot verify.
set -euo pipefail
place=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/own_clusters.sh
. "$place/../../support/own_clusters.sh"
clusters_begin "$1"

# certificate <name> <common name>: signed by its own key.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj "/CN=$2" \
        -addext "subjectAltName = DNS:$2" -keyout "$1.key" -out "$1.pem" 2>/dev/null
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# at <parameters of libpq>
at() { echo "host=localhost hostaddr=127.0.0.1 port=$port dbname=app user=clerk $*"; }
export PGPASSWORD=secret

make_cluster tls 5501
run_sql 5501 -c "create role clerk login createrole password 'secret'" -c 'alter database app owner to clerk'
stop_cluster tls
certificate server localhost
certificate other localhost
server_files=$clusters/tls
install -m 600 server.key server.pem "$server_files/"
printf 'hostssl app clerk 127.0.0.1/32 scram-sha-256\n' >"$server_files/pg_hba.conf"
[ ${#server_user[@]} -eq 0 ] || chown "${server_user[2]}" "$server_files"/server.* "$server_files/pg_hba.conf"
port=$(free_port)
start_cluster tls "$port" listen_addresses=127.0.0.1 ssl=on ssl_cert_file=server.pem ssl_key_file=server.key ssl_min_protocol_version=TLSv1.3

verified=$(at sslmode=verify-full sslrootcert="$clusters/server.pem")
postrider migrate up --database "$verified" >/dev/null 2>&1
postrider work --consumer billing --on '*' --once --quiet --exec true --database "$verified" >/dev/null 2>&1
postrider publish order.placed --payload 1 --database "$verified" >/dev/null
must_be 1 "$(timeout 60 postrider work --consumer billing --on '*' --once --quiet --exec true --database "$verified" 2>&1 |
    sed -n 's/.*delivered: //p')" 'delivered over TLS'
must_be t "$(psql -XqAt -c 'select ssl from pg_stat_ssl where pid = pg_backend_pid()' "$verified")" 'the connection is encrypted'

must_fail 'certificate verify failed' postrider migrate status --database "$(at sslmode=verify-full sslrootcert="$clusters/other.pem")"
must_fail 'does not match host name' postrider migrate status \
    --database "${verified/host=localhost/host=db.example}"
must_fail 'no pg_hba.conf entry' postrider migrate status --database "$(at sslmode=disable)"
