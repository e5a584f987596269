# cmake -DPROGRAM=<postrider> -DOUTPUT=<folder> -P PrintPages.cmake
# Writes <folder>/man1/*.1 and <folder>/completion/{postrider,_postrider,postrider.fish}; <folder>/done comes last.
function(run)
    execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "postrider ${ARGN} failed: ${status}")
    endif()
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT}/man1 ${OUTPUT}/completion)
run(man --directory ${OUTPUT}/man1)
run(completion bash OUTPUT_FILE ${OUTPUT}/completion/postrider)
run(completion zsh OUTPUT_FILE ${OUTPUT}/completion/_postrider)
run(completion fish OUTPUT_FILE ${OUTPUT}/completion/postrider.fish)
file(TOUCH ${OUTPUT}/done)
