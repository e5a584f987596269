# Debian packages, by `cpack -G DEB` (./dev package). A static build has the program and the libraries for servers, a shared build the
# C++ library. Arrange.cmake turns an installed tree into the layout of Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE postrider)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/Arrange.cmake)
set(CPACK_POSTRIDER_SOURCES ${PROJECT_SOURCE_DIR})
set(debian ${PROJECT_SOURCE_DIR}/deploy/debian)

# One build per release of a distribution, so that an upgrade of the system upgrades the packages.
cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)
string(REPLACE debian deb suffix "${distribution_ID}${distribution_VERSION_ID}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "1+${suffix}")

# As the tools of Debian do; otherwise an address that is reserved and reaches no mailbox.
set(CPACK_PACKAGE_CONTACT "Postrider maintainers <maintainers@postrider.invalid>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
    set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()

# postrider_debian_package(<component> <package> <section> <description> [<field> <value>]...)
macro(postrider_debian_package component package section description)
    string(TOUPPER ${component} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}")
    set(fields ${ARGN})
    while(fields)
        list(POP_FRONT fields field value)
        set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${value}")
    endwhile()
endmacro()

set(about "Postrider is a transactional outbox, event bus and job queue inside
PostgreSQL.")
set(CPACK_COMPONENTS_ALL "")
if(TARGET postrider_cli)
    postrider_debian_package(program postrider database
"outbox, event bus and job queue inside PostgreSQL
${about} The program migrates the schema, runs workers, relays and the
operator's page, and can start a private PostgreSQL with a demo.
.
systemd units are installed and not enabled." RECOMMENDS postgresql SUGGESTS libpostrider-dev)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA "${debian}/postinst;${debian}/prerm;${debian}/postrm")
    foreach(major IN ITEMS 15 17 18)
        if(TARGET postrider_native_${major})
            postrider_debian_package(native_${major} postgresql-${major}-postrider database
"native claims of Postrider for PostgreSQL ${major}
${about} With this extension a server reads the log in C, at a fraction
of the time that the functions in SQL take. It is off until the setting
postrider.native is on." DEPENDS postgresql-${major})
        endif()
    endforeach()
endif()
if(BUILD_SHARED_LIBS)
    # Programs built against a library run with every later one of the same soname.
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/src/testing)
    postrider_debian_package(library libpostrider0 libs
"outbox, event bus and job queue inside PostgreSQL, C++ library
${about} This library publishes messages in the transactions of C++
programs and runs their handlers.")
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
    foreach(part IN ITEMS sinks relay)
        if(TARGET postrider_${part})
            string(TOUPPER ${part} upper)
            set(CPACK_COMPONENT_${upper}_DEPENDS library)
            set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
            list(APPEND CPACK_COMPONENT_DEVELOPMENT_DEPENDS ${part})
        endif()
    endforeach()
    if(TARGET postrider_sinks)
        postrider_debian_package(sinks libpostrider-sinks0 libs
"sinks of Postrider: JSON lines, Prometheus, OpenTelemetry
${about} This library logs, measures and traces workers, and sends
alerts to webhooks and Sentry.")
    endif()
    if(TARGET postrider_relay)
        postrider_debian_package(relay libpostrider-relay0 libs
"relays of Postrider: NATS, Redis, Kafka, webhooks, pgmq
${about} This library forwards messages to brokers and webhooks.")
    endif()
    list(APPEND CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
    postrider_debian_package(development libpostrider-dev libdevel
"outbox, event bus and job queue inside PostgreSQL, headers
${about} Headers, CMake and pkg-config files of the C++ library and its
components sinks, relay and testing." SUGGESTS "libpq-dev, libpqxx-dev, nlohmann-json3-dev")
endif()
include(CPack)
