#!/usr/bin/env bash
# packages_test.sh <test>: installing packages leaves no temporary files.
. "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
defaults="$scratch/etc/createcluster.conf"
original="$scratch/share/createcluster.conf"
stub id 'echo 0'
stub dpkg-query 'exit 1'

# install_with <script of apt-get>: must fail.
install_with() {
    stub apt-get "$1"
    ! in_dev "cluster_defaults='$defaults' cluster_original='$original'; need_packages run" 2>"$scratch/said" ||
        fail "the installation succeeded"
}

nothing_is_missing() {
    stub dpkg-query 'echo installed'
    in_dev "cluster_defaults='$defaults' cluster_original='$original'; need_packages run" 2>"$scratch/said"
}

must_be_restored() {
    if [ -e "$original" ]; then
        cmp "$original" "$defaults"
    else
        [ ! -e "$defaults" ] || fail "still there: $(cat "$defaults")"
    fi
}

# While the package is installed it has to find the file, or the tests below prove nothing.
needs_no_cluster="grep -q '^create_main_cluster = false' '$defaults' || echo 'no defaults' >>'$scratch/wrong'"

a_failed_install_restores_createcluster() {
    install_with "$needs_no_cluster; exit 100"
    must_be_restored
    mkdir -p "$(dirname "$original")" && echo '# of the package' >"$original"
    install_with "$needs_no_cluster; [ \$1 = update ]"
    must_be_restored
    [ ! -e "$scratch/wrong" ] || fail "apt-get ran without the file"
}

an_interrupted_install_restores_createcluster() {
    local signal
    for signal in HUP INT TERM; do
        install_with "$needs_no_cluster; kill -$signal \$PPID"
        must_be_restored
    done
    [ ! -e "$scratch/wrong" ] || fail "apt-get ran without the file"
}

the_next_run_restores_createcluster_after_a_killed_one() {
    install_with 'kill -KILL $PPID'
    grep -q '^create_main_cluster = false' "$defaults" || fail "nothing is left to mend"
    nothing_is_missing
    must_be_restored
}

a_createcluster_of_another_program_is_kept() {
    mkdir -p "$(dirname "$defaults")" && echo 'create_main_cluster = false' >"$defaults"
    install_with 'exit 100'
    nothing_is_missing
    [ "$(cat "$defaults")" = 'create_main_cluster = false' ] || fail "it was changed"
    # Of a run that is still busy: it will clean up itself.
    in_dev "cluster_defaults='$defaults' installer=$$; rm '$defaults'; avoid_system_cluster"
    nothing_is_missing
    grep -q '^create_main_cluster = false' "$defaults" || fail "it was taken away from a run that is busy"
}

"$1"
