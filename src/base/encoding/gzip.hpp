#pragma once

#include <zlib.h>

#include <new>
#include <string>
#include <string_view>

namespace postrider {

/// fast: for an answer that is compressed once; small: for a file that is sent many times.
enum class gzip_effort { fast, small };

/// Throws std::bad_alloc without memory. Inline: only libraries that use it link zlib.
inline std::string gzip(std::string_view text, gzip_effort effort) {
    constexpr int window_of_gzip = 15 + 16;  // zlib: 16 more means a gzip header
    constexpr int memory_level = 8;
    z_stream stream{};
    if (deflateInit2(&stream, effort == gzip_effort::fast ? Z_BEST_SPEED : Z_BEST_COMPRESSION,
                     Z_DEFLATED, window_of_gzip, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string made(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(made.data());
    stream.avail_out = static_cast<uInt>(made.size());
    // The buffer holds any result, so that one call is enough.
    static_cast<void>(deflate(&stream, Z_FINISH));
    made.resize(stream.total_out);
    deflateEnd(&stream);
    return made;
}

}  // namespace postrider
