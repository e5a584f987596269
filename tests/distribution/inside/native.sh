# With the package for the server, claims of the private server are native, and a server of the system has the extension.
. /packages/inside/steps.sh
apt_get install --no-install-recommends postgresql
major=$(ls /usr/lib/postgresql)
[ -e "$(echo "./postgresql-$major-postrider_"*.deb)" ] || fail "no package for PostgreSQL $major"
apt_get install --no-install-recommends ./postrider_*.deb "$(echo "./postgresql-$major-postrider_"*.deb)"
export POSTRIDER_DATA_DIR=/var/lib/private-server
postrider migrate up
postrider migrate status | grep -qE '^native +on$' || fail "$(postrider migrate status)"

pg_ctlcluster "$major" main start
runuser -u postgres -- createdb app
runuser -u postgres -- psql -qXd app -c 'alter database app set postrider.native = on'
runuser -u postgres -- postrider --database 'postgresql:///app' migrate up
runuser -u postgres -- postrider --database 'postgresql:///app' migrate status | grep -qE '^native +on$' ||
    fail "$(runuser -u postgres -- postrider --database 'postgresql:///app' migrate status)"
[ "$(runuser -u postgres -- psql -XAtd app -c "select count(*) from pg_extension where extname = 'postrider_native'")" = 1 ] ||
    fail "the extension was not created"
