# An overlay port of this checkout: vcpkg install postrider[sinks,relay] --overlay-ports=deploy/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
    relay POSTRIDER_BUILD_RELAY
    sinks POSTRIDER_BUILD_SINKS)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
    -DPOSTRIDER_BUILD_PROGRAM=OFF
    -DPOSTRIDER_BUILD_TESTS=OFF
    -DPOSTRIDER_BUILD_BENCH=OFF
    -DPOSTRIDER_BUILD_NATIVE=OFF
    ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/postrider)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
