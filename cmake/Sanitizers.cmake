# POSTRIDER_SANITIZE=address,undefined or thread instruments everything that is built here.
if(POSTRIDER_SANITIZE)
    add_compile_options(-fsanitize=${POSTRIDER_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${POSTRIDER_SANITIZE})
    if(POSTRIDER_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
    if(POSTRIDER_SANITIZE MATCHES "thread")
        # GCC warns that fences are not modelled; the code is correct without the model.
        add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
    endif()
endif()
