#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "embedded/run_command.hpp"

namespace postrider::embedded {

/// Replaces the content of the file atomically. On failure, for example on a full disk, it throws
/// and leaves the file unchanged. Only `owner`, when given, can access the new file. With `sync`
/// its content is on disk before it replaces the old one. Does nothing when the file already has
/// this content.
void replace_file(const std::filesystem::path& file, const std::string& text,
                  const std::optional<system_user>& owner, bool sync);

/// Throws unless all of the text was written. The file and its directory must belong to `owner`,
/// when given.
void append_to_file(const std::filesystem::path& file, const std::string& text,
                    const std::optional<system_user>& owner, bool sync);

}  // namespace postrider::embedded
