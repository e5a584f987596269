# cmake -DPROGRAM=<postrider> -DOUTPUT=<file> -P PrintSchema.cmake
# A failing program must not leave half a script behind, hence not a shell redirection.
execute_process(COMMAND ${PROGRAM} migrate print OUTPUT_VARIABLE script RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "postrider migrate print failed: ${status}")
endif()
file(WRITE ${OUTPUT} "${script}")
