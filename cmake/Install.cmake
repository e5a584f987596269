include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/postrider)

# postrider_install_library(<target> <component> <file sets>...): a shared library is in the component, the files that programs are
# built with are in the component development.
function(postrider_install_library target component)
    set(files "")
    foreach(file_set IN LISTS ARGN)
        list(APPEND files FILE_SET ${file_set} COMPONENT development)
    endforeach()
    set(export postrider-targets)
    if(NOT component STREQUAL "library")
        # Exported by itself: only its users need its dependencies.
        set(export postrider-${component}-targets)
    endif()
    install(TARGETS ${target} EXPORT ${export}
            LIBRARY COMPONENT ${component} NAMELINK_COMPONENT development
            ARCHIVE COMPONENT development ${files})
endfunction()

postrider_install_library(postrider library HEADERS adapters)
postrider_install_library(postrider_testing library HEADERS)
install(EXPORT postrider-targets NAMESPACE postrider:: DESTINATION ${package_dir} COMPONENT development)
foreach(part IN ITEMS sinks relay)
    if(TARGET postrider_${part})
        postrider_install_library(postrider_${part} ${part} HEADERS)
        install(EXPORT postrider-${part}-targets NAMESPACE postrider:: DESTINATION ${package_dir} COMPONENT development)
    endif()
endforeach()

configure_package_config_file(cmake/postrider-config.cmake.in generated/postrider-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(generated/postrider-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/postrider-config.cmake
              ${PROJECT_BINARY_DIR}/generated/postrider-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

# A static library's own dependencies must be linked by its users, too. Each field is one line: not every
# pkg-config takes a second one.
set(postrider_sinks_pc_requires "Requires: postrider = ${PROJECT_VERSION}")
set(postrider_pc_requires "")
if(NOT BUILD_SHARED_LIBS)
    set(postrider_pc_requires "\nRequires: libpq")
    string(APPEND postrider_sinks_pc_requires ", prometheus-cpp-core, libcurl, zlib")
endif()
# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH postrider_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/postrider.pc.in generated/postrider.pc @ONLY)
configure_file(cmake/postrider-testing.pc.in generated/postrider-testing.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/postrider.pc
              ${PROJECT_BINARY_DIR}/generated/postrider-testing.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET postrider_sinks)
    configure_file(cmake/postrider-sinks.pc.in generated/postrider-sinks.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/generated/postrider-sinks.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

if(TARGET postrider_relay)
    get_target_property(relay_libraries postrider_relay POSTRIDER_RELAY_LIBRARIES)
    set(postrider_relay_pc_libs "")
    if(relay_libraries AND NOT BUILD_SHARED_LIBS)
        list(TRANSFORM relay_libraries PREPEND " -l")
        list(JOIN relay_libraries "" postrider_relay_pc_libs)
    endif()
    configure_file(cmake/postrider-relay.pc.in generated/postrider-relay.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/generated/postrider-relay.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

if(TARGET postrider_cli)
    install(TARGETS postrider_cli COMPONENT program)
    set(schema_script ${PROJECT_BINARY_DIR}/generated/postrider.sql)
    add_custom_command(
        OUTPUT ${schema_script}
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:postrider_cli> -DOUTPUT=${schema_script}
                -P ${PROJECT_SOURCE_DIR}/cmake/PrintSchema.cmake
        DEPENDS postrider_cli ${PROJECT_SOURCE_DIR}/cmake/PrintSchema.cmake
        COMMENT "Printing the schema as one script, postrider.sql"
        VERBATIM)
    add_custom_target(postrider_schema_script ALL DEPENDS ${schema_script})
    install(FILES ${schema_script} DESTINATION ${CMAKE_INSTALL_DATADIR}/postrider COMPONENT program)

    set(pages ${PROJECT_BINARY_DIR}/generated/pages)
    add_custom_command(
        OUTPUT ${pages}/done
        COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:postrider_cli> -DOUTPUT=${pages}
                -P ${PROJECT_SOURCE_DIR}/cmake/PrintPages.cmake
        DEPENDS postrider_cli ${PROJECT_SOURCE_DIR}/cmake/PrintPages.cmake
        COMMENT "Printing manual pages and completion scripts"
        VERBATIM)
    add_custom_target(postrider_pages ALL DEPENDS ${pages}/done)
    install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
    install(FILES ${pages}/completion/postrider DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
    install(FILES ${pages}/completion/_postrider DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
    install(FILES ${pages}/completion/postrider.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
endif()
