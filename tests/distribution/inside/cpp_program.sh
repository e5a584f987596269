# Programs are built against the development package, by CMake and by pkg-config, and run with the runtime packages alone.
. /packages/inside/steps.sh
version=$1
apt_get install --no-install-recommends ./libpostrider*.deb g++ cmake make pkg-config
cmake -S consumer -B /tmp/build -DPOSTRIDER_VERSION="$version" -DPOSTRIDER_SINKS=yes -DPOSTRIDER_RELAY=yes >/tmp/cmake.log ||
    fail "$(cat /tmp/cmake.log)"
cmake --build /tmp/build >/tmp/cmake.log || fail "$(cat /tmp/cmake.log)"
for component in postrider postrider-testing postrider-sinks postrider-relay; do
    name=consumer_${component#postrider} && name=${name%_} && name=${name/-/} && name=${name/testing/test}
    # shellcheck disable=SC2046 # a list of words
    g++ -std=c++20 "consumer/$name.cpp" -o "/tmp/$name" $(pkg-config --cflags --libs "$component")
done

check_programs() {
    local folder
    for folder in /tmp/build /tmp; do
        [ "$("$folder/consumer")" = "postrider $version" ] || fail "consumer printed: $("$folder/consumer")"
        "$folder/consumer_test"
        "$folder/consumer_sinks" | grep -q '"message":"published"'
        "$folder/consumer_relay" | grep -qx pgmq
    done
}
check_programs
# The packages with the soname are enough.
apt_get purge libpostrider-dev
check_programs
ldd /tmp/consumer | grep -q 'libpostrider\.so\.0 => /' || fail "$(ldd /tmp/consumer)"
apt_get purge 'libpostrider*'
left=$(find / -xdev -name '*postrider*' ! -path '/packages/*' ! -path '/proc/*' ! -path '/tmp/*' ! -path '/var/lib/apt/*')
[ -z "$left" ] || fail "left behind: $left"
