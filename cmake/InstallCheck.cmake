# Included before the first install() rule. `cmake --install` builds nothing: without this check it would copy a part of the package
# before it finds that another part was not built. The target postrider_package builds everything that is installed.
set(packaged_targets postrider postrider_testing postrider_sinks postrider_relay postrider_cli postrider_native_15 postrider_native_17
    postrider_native_18)
set(packaged_files "$<$<TARGET_EXISTS:postrider_cli>:${PROJECT_BINARY_DIR}/generated/postrider.sql>"
    "$<$<TARGET_EXISTS:postrider_cli>:${PROJECT_BINARY_DIR}/generated/pages/done>")
foreach(target IN LISTS packaged_targets)
    string(APPEND packaged_files ";$<$<TARGET_EXISTS:${target}>:$<TARGET_FILE:${target}>>")
endforeach()
install(CODE "set(packaged_files [==[${packaged_files}]==])
foreach(file IN LISTS packaged_files)
    if(file AND NOT EXISTS \"\${file}\")
        message(FATAL_ERROR \"\${file} has not been built, and nothing was installed. Run first:\\n\"
                            \"  cmake --build '${PROJECT_BINARY_DIR}' --target postrider_package\")
    endif()
endforeach()" ALL_COMPONENTS)

# Called when all targets are known.
function(postrider_add_package_target)
    add_custom_target(postrider_package)
    foreach(target IN ITEMS ${packaged_targets} postrider_schema_script postrider_pages)
        if(TARGET ${target})
            add_dependencies(postrider_package ${target})
        endif()
    endforeach()
endfunction()
