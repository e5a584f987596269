# cmake -DROOT=<dir> -DFILES=<a;b> -DOUTPUT=<file.cpp> -P EmbedFilesScript.cmake
# Writes one C++ file with the path, SHA-256 and text of each file as raw string literals.
cmake_minimum_required(VERSION 3.25)
set(open "R\"__sql__(")
set(close ")__sql__\"")
set(chunk_bytes 15000) # compilers must accept literals of 16 kB, not more

set(entries "")
set(count 0)
foreach(path IN LISTS FILES)
    file(READ "${ROOT}/${path}" text)
    file(SHA256 "${ROOT}/${path}" digest)
    string(FIND "${text}" "${close}" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${path}: contains ${close}, the end of the raw string")
    endif()
    set(literals "")
    string(LENGTH "${text}" left)
    while(left GREATER chunk_bytes)
        string(SUBSTRING "${text}" 0 ${chunk_bytes} chunk)
        # Cut after a line end, so that no UTF-8 character is torn apart.
        string(FIND "${chunk}" "\n" cut REVERSE)
        if(cut EQUAL -1)
            message(FATAL_ERROR "${path}: a line is longer than ${chunk_bytes} bytes")
        endif()
        math(EXPR cut "${cut} + 1")
        string(SUBSTRING "${text}" 0 ${cut} chunk)
        string(SUBSTRING "${text}" ${cut} -1 text)
        string(APPEND literals "${open}${chunk}${close}\n     ")
        string(LENGTH "${text}" left)
    endwhile()
    string(APPEND literals "${open}${text}${close}")
    # The sv suffix keeps the length known at compile time.
    string(APPEND entries "    {\"${path}\"sv,\n     \"${digest}\"sv,\n     ${literals}sv},\n")
    math(EXPR count "${count} + 1")
endforeach()

set(source "// Generated from sql/ by cmake/EmbedFilesScript.cmake.
#include \"base/embedded_files.hpp\"

#include <array>

namespace postrider {
namespace {

using namespace std::string_view_literals;

constexpr std::array<embedded_file, ${count}> files{{
${entries}}};

}  // namespace

std::span<const embedded_file> embedded_files() { return files; }

}  // namespace postrider
")
if(count EQUAL 0)
    string(REPLACE "{{\n}}" "{}" source "${source}")
endif()
file(WRITE "${OUTPUT}" "${source}")
