#pragma once

#include <span>
#include <string_view>

namespace postrider {

/// One file of sql/, carried inside the library so that an installed program can migrate a
/// database without any file next to it.
struct embedded_file {
    std::string_view path;    ///< relative to sql/, e.g. "migrations/0001_init.sql"
    std::string_view sha256;  ///< lowercase hex, as sha256sum prints it
    std::string_view text;
};

/// All embedded files, sorted by path. The memory is static.
std::span<const embedded_file> embedded_files();

}  // namespace postrider
