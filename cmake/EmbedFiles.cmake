# postrider_embed_files(<target> <root>): an OBJECT library that holds every .sql file below
# <root>; see src/base/embedded_files.hpp for the way in. The glob is re-checked at each build.
function(postrider_embed_files target root)
    file(GLOB_RECURSE files RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*.sql)
    list(SORT files)
    set(inputs ${files})
    list(TRANSFORM inputs PREPEND ${root}/)
    list(JOIN files "$<SEMICOLON>" file_list)
    set(output ${PROJECT_BINARY_DIR}/generated/embedded_files.cpp)
    set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFilesScript.cmake)
    # The list is a dependency of its own: a removed file must rebuild the output as well.
    set(list_file ${PROJECT_BINARY_DIR}/generated/embedded_files.list)
    file(CONFIGURE OUTPUT ${list_file} CONTENT "${files}\n")
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DROOT=${root} -DFILES=${file_list} -DOUTPUT=${output} -P ${script}
        DEPENDS ${inputs} ${list_file} ${script}
        COMMENT "Embedding sql/"
        VERBATIM)
    add_library(${target} OBJECT ${output})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE postrider_warnings)
endfunction()
