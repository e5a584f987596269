#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "embedded/interrupted.hpp"

namespace postrider::embedded {

/// A directory with postgres, initdb and pg_ctl.
struct server_binaries {
    std::filesystem::path directory;
    int major_version = 0;
};

/// Looks in `configured` alone when given; otherwise in $PATH, then in the directories Debian and
/// Ubuntu install to, newest first. With `wanted_major` only that version is accepted (a data
/// directory belongs to one). Throws server_binaries_missing, naming the package to install, or
/// interrupted.
server_binaries find_binaries(const std::filesystem::path& configured,
                              std::optional<int> wanted_major = std::nullopt,
                              const stop_check& stop = {});

}  // namespace postrider::embedded
