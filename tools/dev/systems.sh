# Minimal systems of Debian in folders, made with debootstrap by root. Sourced by ./dev and by tests/distribution.

# make_system <suite> <dir>: a new one. debootstrap runs once per suite; its result is kept in build/systems.
make_system() {
    local suite=$1 dir=$2 base="$root/build/systems/$1.tar"
    if [ ! -f "$base" ]; then
        say "debootstrap $suite into build/systems"
        rm -rf "$base.partial" && mkdir -p "$base.partial"
        debootstrap --variant=minbase "$suite" "$base.partial" >"$base.log" 2>&1 || {
            tail "$base.log" >&2
            die "debootstrap failed"
        }
        # As in Debian's container images: packages must not start services, and dpkg does not wait for the disk.
        printf '#!/bin/sh\nexit 101\n' >"$base.partial/usr/sbin/policy-rc.d"
        echo force-unsafe-io >"$base.partial/etc/dpkg/dpkg.cfg.d/unsafe-io"
        chmod +x "$base.partial/usr/sbin/policy-rc.d"
        in_system "$base.partial" apt-get update -qq
        tar -C "$base.partial" -cf "$base.new" . && mv "$base.new" "$base" && rm -rf "$base.partial"
    fi
    rm -rf "$dir" && mkdir -p "$dir"
    tar -C "$dir" -xf "$base"
}

# in_system <dir> <command>...: with processes of its own, which end with the command.
in_system() {
    local dir=$1
    shift
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --fork --kill-child bash -c '
        dir=$1 && shift
        mount -t proc proc "$dir/proc" && mount -t tmpfs tmpfs "$dir/dev/shm" || exit
        exec chroot "$dir" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' bash "$dir" "$@"
}
