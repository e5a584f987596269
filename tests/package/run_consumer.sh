#!/usr/bin/env bash
# run_consumer.sh <work dir> install|not_built|find_package|unknown_component|optional_component|pkg_config|pc_fields
#                 <cmake> <build dir> <version>
set -euo pipefail
work=$1 action=$2 cmake=$3 build=$4 version=$5
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/consumer" && pwd)
prefix="$work/prefix"
# Only when they were built.
sinks=no
[ ! -e "$prefix/include/postrider/sinks.hpp" ] || sinks=yes
relay=no
[ ! -e "$prefix/include/postrider/relay.hpp" ] || relay=yes

# must_print <expected> <command...>
must_print() {
    local expected=$1 printed
    shift
    printed=$("$@")
    [ "$printed" = "$expected" ] || {
        printf 'expected: %s\nprinted:  %s\n' "$expected" "$printed"
        exit 1
    }
}

# ask_for_sinks <REQUIRED or OPTIONAL> <expected postrider_sinks_FOUND> <cmake argument>...: its output is in $work/said.
ask_for_sinks() {
    local how=$1 expected=$2
    shift 2
    rm -rf "$work/optional_component"
    "$cmake" -S "$source/../optional" -B "$work/optional_component" -DCMAKE_PREFIX_PATH="$prefix" \
        -DPOSTRIDER_VERSION="$version" -DHOW="$how" -DEXPECTED="$expected" "$@" >"$work/said" 2>&1
}

wrong() {
    cat "$work/said"
    echo "expected: $1"
    exit 1
}

# Messages of CMake are broken into lines.
must_say() {
    tr -s ' \n' ' ' <"$work/said" | grep -qF "$1" || wrong "$1"
}

case $action in
    install)
        rm -rf "$prefix"
        "$cmake" --install "$build" --prefix "$prefix"
        for file in bin/postrider share/postrider/postrider.sql share/man/man1/postrider.1 share/man/man1/postrider-migrate.1 \
            share/bash-completion/completions/postrider share/zsh/site-functions/_postrider \
            share/fish/vendor_completions.d/postrider.fish include/postrider/postrider.hpp \
            include/postrider/testing.hpp include/postrider/adapters/pqxx.hpp \
            include/postrider/adapters/nlohmann.hpp; do
            [ -s "$prefix/$file" ] || { echo "not installed: $file" && exit 1; }
        done
        ;;
    not_built)
        rm -rf "$work/not_built" "$work/nowhere"
        "$cmake" -S "$source/../../.." -B "$work/not_built" -DPOSTRIDER_BUILD_TESTS=OFF -DPOSTRIDER_BUILD_BENCH=OFF >"$work/said" 2>&1 ||
            wrong 'configured'
        # The first of two parts is built, as after an interrupted build.
        "$cmake" --build "$work/not_built" --target postrider_native >"$work/said" 2>&1 || true
        ! "$cmake" --install "$work/not_built" --prefix "$work/nowhere" >"$work/said" 2>&1 || wrong 'a failure'
        must_say "nothing was installed. Run first: cmake --build '$work/not_built' --target postrider_package"
        [ ! -e "$work/nowhere" ] || wrong "no files, but there are: $(find "$work/nowhere" -type f)"
        ! "$cmake" --install "$work/not_built" --prefix "$work/nowhere" --component sinks >"$work/said" 2>&1 || wrong 'a failure'
        [ ! -e "$work/nowhere" ] || wrong "no files of a component, but there are: $(find "$work/nowhere" -type f)"
        rm -rf "$work/not_built"
        ;;
    find_package)
        rm -rf "$work/find_package"
        "$cmake" -S "$source" -B "$work/find_package" -DCMAKE_PREFIX_PATH="$prefix" \
            -DPOSTRIDER_VERSION="$version" -DPOSTRIDER_SINKS="$sinks" -DPOSTRIDER_RELAY="$relay"
        "$cmake" --build "$work/find_package"
        must_print "postrider $version" "$work/find_package/consumer"
        "$work/find_package/consumer_test"
        [ "$sinks" = no ] || "$work/find_package/consumer_sinks" | grep -q '"message":"published"'
        [ "$relay" = no ] || "$work/find_package/consumer_relay" | grep -qx pgmq
        ;;
    unknown_component)
        rm -rf "$work/unknown_component"
        if "$cmake" -S "$source" -B "$work/unknown_component" -DCMAKE_PREFIX_PATH="$prefix" \
            -DPOSTRIDER_VERSION="$version" -DPOSTRIDER_COMPONENT=horses 2>"$work/complaint"; then
            echo "found a component that does not exist" && exit 1
        fi
        grep -q 'no component "horses"; there are: relay, sinks, testing' "$work/complaint" || {
            cat "$work/complaint" && exit 1
        }
        ;;
    optional_component)
        without=-DCMAKE_DISABLE_FIND_PACKAGE_prometheus-cpp=ON
        complaint='This postrider was installed without its component "sinks".'
        if [ "$sinks" = yes ]; then
            ask_for_sinks OPTIONAL TRUE || wrong 'the sinks are found'
            complaint='The component "sinks" needs prometheus-cpp, which was not found.'
        fi
        ask_for_sinks OPTIONAL FALSE "$without" || wrong 'the library is found without the sinks'
        must_say "$complaint"
        if ask_for_sinks REQUIRED FALSE "$without"; then
            wrong 'a component without what it needs is not found'
        fi
        must_say "$complaint"
        ;;
    pc_fields)
        mapfile -t files < <(find "$prefix" -name '*.pc')
        for file in "${files[@]}"; do
            twice=$(grep -oE '^[A-Za-z.]+:' "$file" | sort | uniq -d)
            [ -z "$twice" ] || { echo "$file: more than once: $twice" && exit 1; }
        done
        [ ${#files[@]} -ge 2 ] || { echo "only found: ${files[*]}" && exit 1; }
        ;;
    pkg_config)
        PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name postrider.pc)")
        export PKG_CONFIG_PATH
        must_print "$version" pkg-config --modversion postrider
        # Flags are lists of words, so they stay unquoted.
        # shellcheck disable=SC2046,SC2086
        "${CXX:-c++}" -std=c++20 ${CXXFLAGS:-} "$source/consumer.cpp" -o "$work/pkg_config_consumer" \
            $(pkg-config --cflags --libs postrider)
        must_print "postrider $version" "$work/pkg_config_consumer"
        # shellcheck disable=SC2046,SC2086
        "${CXX:-c++}" -std=c++20 ${CXXFLAGS:-} "$source/consumer_test.cpp" -o "$work/pkg_config_test" \
            $(pkg-config --cflags --libs postrider-testing)
        "$work/pkg_config_test"
        [ "$sinks" = no ] || {
            # shellcheck disable=SC2046,SC2086
            "${CXX:-c++}" -std=c++20 ${CXXFLAGS:-} "$source/consumer_sinks.cpp" \
                -o "$work/pkg_config_sinks" $(pkg-config --cflags --libs postrider-sinks)
            "$work/pkg_config_sinks" | grep -q '"message":"published"'
        }
        [ "$relay" = no ] || {
            # shellcheck disable=SC2046,SC2086
            "${CXX:-c++}" -std=c++20 ${CXXFLAGS:-} "$source/consumer_relay.cpp" \
                -o "$work/pkg_config_relay" $(pkg-config --cflags --libs postrider-relay)
            "$work/pkg_config_relay" | grep -qx pgmq
        }
        ;;
esac
