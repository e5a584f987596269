# postrider_embed(<target> FUNCTION <a::b> HEADER <header> ENTRIES <path=file>...): an OBJECT library
# that holds files; FUNCTION() gives them as embedded_file, sorted by path, and is declared in HEADER.
function(postrider_embed target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FUNCTION;HEADER" "ENTRIES")
    list(SORT arg_ENTRIES)
    set(inputs ${arg_ENTRIES})
    list(TRANSFORM inputs REPLACE "^[^=]*=" "")
    set(output ${PROJECT_BINARY_DIR}/generated/${target}.cpp)
    set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFilesScript.cmake)
    # The list is a dependency of its own: a removed file must rebuild the output as well.
    set(list_file ${PROJECT_BINARY_DIR}/generated/${target}.list)
    list(JOIN arg_ENTRIES "\n" list_text)
    file(CONFIGURE OUTPUT ${list_file} CONTENT "${list_text}\n")
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DFUNCTION=${arg_FUNCTION} -DHEADER=${arg_HEADER}
                -DOUTPUT=${output} -P ${script}
        DEPENDS ${inputs} ${list_file} ${script}
        COMMENT "Embedding files: ${target}"
        VERBATIM)
    add_library(${target} OBJECT ${output})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE postrider_warnings)
endfunction()

# postrider_embed_files(<target> <root>): every .sql file below <root>; see
# src/base/embedded_files.hpp for the way in. The glob is re-checked at each build.
function(postrider_embed_files target root)
    file(GLOB_RECURSE files RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*.sql)
    list(TRANSFORM files REPLACE "(.+)" "\\1=${root}/\\1")
    postrider_embed(${target} FUNCTION embedded_files HEADER base/embedded_files.hpp ENTRIES ${files})
endfunction()
