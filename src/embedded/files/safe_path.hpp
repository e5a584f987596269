#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace postrider::embedded {

/// For root: throws server_start_failed unless only root can change where this path leads. Every
/// directory and link on the way must belong to root, and none may be writable by other users (a
/// directory like /tmp, where users cannot rename files of others, is allowed). The end of
/// the path need not exist. For other users it does nothing: they risk only their own files.
void require_safe_path(const std::filesystem::path& path);

/// An open directory; the last name of its path is not followed if it is a link.
class open_directory {
  public:
    /// Throws server_start_failed when it cannot be opened or does not belong to `owner`.
    explicit open_directory(const std::filesystem::path& path,
                            std::optional<uid_t> owner = std::nullopt);
    open_directory(const open_directory&) = delete;
    open_directory& operator=(const open_directory&) = delete;
    ~open_directory();
    int get() const { return descriptor_; }

  private:
    int descriptor_ = -1;
};

}  // namespace postrider::embedded
