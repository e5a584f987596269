# Run by cpack between installing and packing: puts files where Debian has them and adds those that every package has.
set(sources ${CPACK_POSTRIDER_SOURCES})
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

function(compress)
    execute_process(COMMAND gzip -9n --force ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(arrange_program root)
    file(GLOB pages ${root}/usr/share/man/man1/*.1)
    compress(${pages})
    file(MAKE_DIRECTORY ${root}/usr/share/zsh/vendor-completions)
    file(RENAME ${root}/usr/share/zsh/site-functions/_postrider ${root}/usr/share/zsh/vendor-completions/_postrider)
    file(REMOVE ${root}/usr/share/zsh/site-functions)
    file(COPY ${sources}/deploy/systemd/ DESTINATION ${root}/usr/lib/systemd/system)
    # The tree of the sources, so that links between pages work.
    set(doc ${root}/usr/share/doc/postrider)
    file(COPY ${sources}/README.md ${sources}/SECURITY.md ${sources}/docs ${sources}/examples DESTINATION ${doc})
    file(COPY ${sources}/deploy/README.md ${sources}/deploy/grafana ${sources}/deploy/prometheus DESTINATION ${doc}/deploy)
    file(COPY ${sources}/sql/README.md DESTINATION ${doc}/sql)
endfunction()

# The server has its files in its own folders; the program finds them for its private server through links.
function(arrange_native root major)
    set(place ${root}/usr/lib/postrider/${major})
    set(library ${root}/usr/lib/postgresql/${major}/lib)
    set(extension ${root}/usr/share/postgresql/${major}/extension)
    file(MAKE_DIRECTORY ${library} ${extension})
    file(RENAME ${place}/postrider_native.so ${library}/postrider_native.so)
    file(CREATE_LINK ../../postgresql/${major}/lib/postrider_native.so ${place}/postrider_native.so SYMBOLIC)
    file(GLOB names RELATIVE ${place}/extension ${place}/extension/*)
    foreach(name IN LISTS names)
        file(RENAME ${place}/extension/${name} ${extension}/${name})
        file(CREATE_LINK ../../../../share/postgresql/${major}/extension/${name} ${place}/extension/${name} SYMBOLIC)
    endforeach()
endfunction()

function(add_notices root package)
    set(doc ${root}/usr/share/doc/${package})
    file(COPY ${sources}/deploy/debian/copyright DESTINATION ${doc})
    configure_file(${sources}/CHANGELOG.md ${doc}/changelog COPYONLY)
    file(WRITE ${doc}/changelog.Debian "postrider (${version}) unstable; urgency=medium

  * Packages of release ${CPACK_PACKAGE_VERSION}; changelog.gz lists its changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    compress(${doc}/changelog ${doc}/changelog.Debian)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
    if(component STREQUAL "program")
        arrange_program(${root})
    elseif(component MATCHES "^native_([0-9]+)$")
        arrange_native(${root} ${CMAKE_MATCH_1})
    endif()
    string(TOUPPER ${component} upper)
    add_notices(${root} ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    # Independent of the umask.
    execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
