#pragma once

#include <functional>
#include <stdexcept>

namespace postrider::embedded {

/// Returns true to interrupt all waiting; may be empty.
using stop_check = std::function<bool()>;

/// Thrown when a start was interrupted before the server was ready. Nothing is left running.
class interrupted : public std::runtime_error {
  public:
    interrupted() : std::runtime_error("interrupted while PostgreSQL was being started") {}
};

inline void throw_if_stopped(const stop_check& stop) {
    if (stop && stop()) {
        throw interrupted();
    }
}

}  // namespace postrider::embedded
