#pragma once

#include <filesystem>
#include <utility>

#include "embedded/interrupted.hpp"

namespace postrider::embedded {

/// An exclusive flock(2). The kernel releases it when the process ends.
class file_lock {
  public:
    file_lock() = default;
    /// Waits until it is free; throws interrupted when `stop` returns true.
    static file_lock wait_for(const std::filesystem::path& file, const stop_check& stop = {});
    /// Not held() when another process has it.
    static file_lock try_take(const std::filesystem::path& file);

    file_lock(file_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    file_lock& operator=(file_lock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~file_lock();

    bool held() const { return descriptor_ >= 0; }
    void release();

  private:
    int descriptor_ = -1;
};

}  // namespace postrider::embedded
