#pragma once

#include <filesystem>

namespace postrider::test {

/// An empty directory under the system's temporary one, open to every user; gone at the end.
class scratch_directory {
  public:
    scratch_directory();
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    ~scratch_directory();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace postrider::test
