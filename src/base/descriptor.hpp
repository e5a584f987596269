#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace postrider {

/// A file descriptor, closed at the end of its life.
class descriptor {
  public:
    descriptor() = default;
    explicit descriptor(int value) : value_(value) {}
    descriptor(descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~descriptor() { close(); }

    /// -1: none.
    int get() const { return value_; }
    void close() {
        if (value_ >= 0) {
            ::close(std::exchange(value_, -1));
        }
    }

  private:
    int value_ = -1;
};

struct pipe_ends {
    descriptor read;
    descriptor write;
};

/// Throws std::system_error.
inline pipe_ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    return {descriptor(ends[0]), descriptor(ends[1])};
}

/// Reads as empty; output to it is discarded.
inline descriptor null_device() { return descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC)); }

}  // namespace postrider
