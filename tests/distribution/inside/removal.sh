# A package that was used and purged leaves the data of the private server, and nothing else.
. /packages/inside/steps.sh

# Files of package managers change, and the dependencies' caches.
files() {
    find / -xdev \( -path /proc -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /tmp \
        -o -path /run -o -path /var/lib/postrider \) -prune -o -print | sort
}

# The dependencies stay.
apt_get install ./postrider_*.deb
apt_get purge postrider
files >/tmp/before
apt_get install ./postrider_*.deb
page_of_demo
end_demo
[ -d /var/lib/postrider/cluster ] || fail "the demo left no data"
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -s /usr/lib/systemd/system/postrider-worker@.service /etc/systemd/system/multi-user.target.wants/postrider-worker@billing.service
apt_get purge postrider
files >/tmp/after
diff /tmp/before /tmp/after || fail "the package left files behind"
[ -d /var/lib/postrider/cluster ] || fail "the package removed data"
! ls -d /usr/share/doc/postrider /usr/share/postrider 2>/dev/null || fail "left behind"
