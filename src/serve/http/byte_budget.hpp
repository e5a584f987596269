#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace postrider::serve {

/// Bytes of requests and answers that all connections together may hold in memory. A slow reader
/// keeps its answer for as long as it reads, so without a limit slow readers fill the memory.
class byte_budget {
  public:
    explicit byte_budget(std::size_t most) : most_(most) {}

    /// A share of the budget, given back when it is destroyed.
    class share {
      public:
        share() = default;
        share(share&& other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)),
              bytes_(std::exchange(other.bytes_, 0)) {}
        share& operator=(share&& other) noexcept {
            std::swap(budget_, other.budget_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~share() {
            if (budget_ != nullptr) {
                budget_->used_ -= bytes_;
            }
        }
        explicit operator bool() const { return budget_ != nullptr; }
        /// Adds to a share that is not empty; false when the budget would be exceeded.
        bool grow(std::size_t bytes) {
            if (!budget_->reserve(bytes)) {
                return false;
            }
            bytes_ += bytes;
            return true;
        }

      private:
        friend class byte_budget;
        share(byte_budget* budget, std::size_t bytes) : budget_(budget), bytes_(bytes) {}
        byte_budget* budget_ = nullptr;
        std::size_t bytes_ = 0;
    };

    /// An empty share when the budget is exceeded.
    share take(std::size_t bytes) { return reserve(bytes) ? share(this, bytes) : share(); }
    std::size_t used() const { return used_; }

  private:
    bool reserve(std::size_t bytes) {
        auto used = used_.load();
        do {
            if (bytes > most_ || used > most_ - bytes) {
                return false;
            }
        } while (!used_.compare_exchange_weak(used, used + bytes));
        return true;
    }

    const std::size_t most_;
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace postrider::serve
