#!/usr/bin/env bash
# run_recipes.sh <work dir> <cmake> <root> <version>: the recipes for vcpkg and Conan and the files for containers name existing files,
# and the library alone is configured without the dependencies of the program.
set -euo pipefail
work=$1/recipes cmake=$2 root=$3 version=$4

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

rm -rf "$work" && mkdir -p "$work"
python3 - "$root" "$version" <<'PY' || fail "see above"
import ast, json, pathlib, sys

root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
port = json.loads((root / "deploy/vcpkg/postrider/vcpkg.json").read_text())
assert port["version-semver"] == version, port["version-semver"]
recipe = ast.parse((root / "deploy/conan/conanfile.py").read_text())
folders = next(ast.literal_eval(part.value) for part in recipe.body if isinstance(part, ast.Assign))
missing = [folder for folder in folders if not (root / folder).is_dir()]
assert not missing, missing
PY
# Options that a recipe sets are options of the build.
grep -hoE 'POSTRIDER_BUILD_[A-Z]+' "$root/deploy/vcpkg/postrider/portfile.cmake" | sort -u >"$work/set"
{ cat "$root/CMakeLists.txt" "$root"/src/*/CMakeLists.txt; } | grep -oE '^option\(POSTRIDER_BUILD_[A-Z]+' | sed 's/option(//' | sort -u >"$work/known"
unknown=$(comm -23 "$work/set" "$work/known")
[ -z "$unknown" ] || fail "the port sets options that do not exist: $unknown"

off=()
for package in CLI11 nlohmann_json prometheus-cpp spdlog CURL OpenSSL ZLIB GTest PkgConfig; do off+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
"$cmake" -S "$root" -B "$work/build" "${off[@]}" -DPOSTRIDER_BUILD_PROGRAM=OFF \
    -DPOSTRIDER_BUILD_NATIVE=OFF -DPOSTRIDER_BUILD_SINKS=OFF -DPOSTRIDER_BUILD_RELAY=OFF >"$work/said" 2>&1 || fail "$(cat "$work/said")"
! grep -q postrider_cli "$work/build/CMakeFiles/TargetDirectories.txt" || fail "the program would be built"

# The image installs the package that there is, and its health check answers as it should.
grep -q 'packages/postrider_\*\.deb' "$root/deploy/container/Containerfile" || fail "the image installs another package"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
! "$root/deploy/container/healthy" "$port" 2>/dev/null || fail "healthy without a server"
