#include "embedded/native_library.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;

fs::path native_library_beside_program(int major_version) {
    std::error_code problem;
    const auto program = fs::read_symlink("/proc/self/exe", problem);
    if (problem) {
        return {};
    }
    return program.parent_path().parent_path() / "lib" / "postrider" /
           std::to_string(major_version) / "postrider_native.so";
}

std::string native_settings(const fs::path& folder, int major_version) {
    // A colon ends one folder of the list and begins the next; there is no way to quote it.
    if (folder.string().find(':') != std::string::npos) {
        return {};
    }
    std::string settings =
        "dynamic_library_path = " + quoted_setting(folder.string() + ":$libdir") +
        "\npostrider.native = on\n";
    if (major_version >= extension_path_since) {
        settings +=
            "extension_control_path = " + quoted_setting(folder.string() + ":$system") + "\n";
    }
    return settings;
}

std::string quoted_setting(const std::string& value) {
    std::string quoted = "'";
    for (const char c : value) {
        quoted += c;
        if (c == '\'' || c == '\\') {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace postrider::embedded
