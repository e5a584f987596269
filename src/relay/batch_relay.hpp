#pragma once

#include <memory>
#include <mutex>
#include <postrider/worker.hpp>
#include <span>
#include <variant>
#include <vector>

#include "relay/publisher.hpp"

namespace postrider::relaying {

/// The batch handler of a relay. Thread-safe: each batch uses a publisher that no other one uses.
class batch_relay {
  public:
    batch_relay(std::unique_ptr<target> to, std::size_t bytes_max)
        : target_(std::move(to)), bytes_max_(bytes_max) {}

    std::vector<outcome> operator()(std::span<const event> all, context& run);

  private:
    /// The message, or why it cannot be sent.
    std::variant<outgoing, outcome> prepared(const event& event) const;
    std::unique_ptr<publisher> take();
    void put_back(std::unique_ptr<publisher> idle);

    std::unique_ptr<target> target_;
    std::size_t bytes_max_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<publisher>> idle_;
};

}  // namespace postrider::relaying
