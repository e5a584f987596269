#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "embedded/run_command.hpp"

namespace postrider::embedded {

/// Gives the file this content, or leaves it as it is and throws, on a full disk for example; never
/// something between. It belongs to `owner`, when given, alone. With `sync` it outlives a power
/// failure. Touches nothing when the content is there already.
void replace_file(const std::filesystem::path& file, const std::string& text,
                  const std::optional<system_user>& owner, bool sync);

/// Throws unless all of the text was written. The file and its directory must belong to `owner`,
/// when given.
void append_to_file(const std::filesystem::path& file, const std::string& text,
                    const std::optional<system_user>& owner, bool sync);

}  // namespace postrider::embedded
