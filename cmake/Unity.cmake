# Unity builds: several files are compiled as one, so that a build from nothing reads each header a few times instead of
# hundreds of times. Names in anonymous namespaces have to differ within a target.
option(POSTRIDER_UNITY "Compile the files of a target in groups" ${PROJECT_IS_TOP_LEVEL})

# postrider_unity(<target>)
function(postrider_unity target)
    if(POSTRIDER_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    endif()
endfunction()
