# ./dev package [<suite>]: Debian packages in build/packages/<suite>. Sourced by ./dev.

# this_suite: bookworm, trixie, noble, …
this_suite() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

cmd_package() {
    local suite=${1:-$(this_suite)} dir
    [ $# -eq 0 ] || shift
    take_nothing package "$@"
    case $suite in
        "$(this_suite)") package_here "$root/build/packages/$suite" ;;
        bookworm | trixie) package_elsewhere "$suite" ;;
        *) refuse "'$suite' is not a suite that packages are built for; they are bookworm, trixie and that of this system" ;;
    esac
    ls "$root/build/packages/$suite"/*.deb
}

# package_here <dir>
package_here() {
    # The configuration of a program looks for the dependencies of its tests.
    need_packages build test package
    build_packages "$1"
    say "lintian"
    lintian --fail-on error --tag-display-limit 0 "$1"/*.deb >&2 || die "lintian rejected the packages"
}

# package_elsewhere <suite>: in a minimal system of that suite, from the files of this checkout.
package_elsewhere() {
    local suite=$1 system="$root/build/systems/$1"
    [ "$(id -u)" -eq 0 ] || die "package: root rights are needed to make a system of $suite"
    need_packages distribution
    make_system "$suite" "$system"
    mkdir "$system/postrider"
    git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -C "$system/postrider" -xf -
    say "./dev package in a system of $suite"
    in_system "$system" env SOURCE_DATE_EPOCH="$(source_date)" /postrider/dev package >&2
    rm -rf "$root/build/packages/$suite" && mkdir -p "$root/build/packages"
    mv "$system/postrider/build/packages/$suite" "$root/build/packages/$suite"
    rm -rf "$system"
}

# The same sources give the same packages.
source_date() {
    echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
}

# build_packages <dir>
build_packages() {
    local dir=$1 preset
    for preset in release shared; do configure_and_build "$preset" --target postrider_package; done
    rm -rf "$dir" && mkdir -p "$dir"
    SOURCE_DATE_EPOCH=$(source_date)
    export SOURCE_DATE_EPOCH
    for preset in release shared; do
        say "pack build/$preset"
        cpack --config "build/$preset/CPackConfig.cmake" -B "$dir" >build/package.log 2>&1 || {
            cat build/package.log >&2
            die "cpack failed"
        }
    done
    rm -rf "$dir/_CPack_Packages"
}
