#pragma once

#include <filesystem>
#include <string>

namespace postrider::embedded {

/// Where the library for native claims lies when it was installed with the running program:
/// ../lib/postrider/<major>/postrider_native.so, as seen from the program's folder.
std::filesystem::path native_library_beside_program(int major_version);

/// The first version of PostgreSQL that can have extensions outside of its own folders.
inline constexpr int extension_path_since = 18;

/// The settings that let a server find its library in `folder`, and where it can the extension, and
/// turn native claims on; none when the server could not read the folder's name out of a list.
std::string native_settings(const std::filesystem::path& folder, int major_version);

/// As the value of a setting in postgresql.conf.
std::string quoted_setting(const std::string& value);

}  // namespace postrider::embedded
