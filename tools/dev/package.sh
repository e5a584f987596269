# ./dev package: Debian packages in build/packages/<suite>. Sourced by ./dev.

# this_suite: bookworm, trixie, noble, …
this_suite() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

cmd_package() {
    local dir
    take_nothing package "$@"
    dir="$root/build/packages/$(this_suite)"
    # The configuration of a program looks for the dependencies of its tests.
    need_packages build test package
    build_packages "$dir"
    say "lintian"
    lintian --fail-on error --tag-display-limit 0 "$dir"/*.deb >&2 || die "lintian rejected the packages"
    ls "$dir"/*.deb
}

# build_packages <dir>
build_packages() {
    local dir=$1 preset
    for preset in release shared; do configure_and_build "$preset" --target postrider_package; done
    rm -rf "$dir" && mkdir -p "$dir"
    # The same sources give the same packages.
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
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
