#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <postrider/outcome.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::relaying {

/// The outcome of a JetStream acknowledgement, the JSON text that the server sent.
outcome nats_outcome(std::string_view acknowledgement);
/// No stream has the subject.
outcome nats_no_stream();

/// The acknowledgements of one batch at a time. Filled by a thread of libnats.
class ack_box {
  public:
    /// Discards the previous batch. Returns the number of the new one.
    std::uint64_t begin(std::size_t messages);
    /// The last part of the reply subject of a message: "<batch>.<index>".
    static std::string reply_of(std::uint64_t batch, std::size_t index);
    /// Ignores replies to earlier batches and second replies.
    void put(std::string_view reply, outcome how);

    /// Waits until every message has an outcome, `lost` returns true, or the time is over. Calls
    /// `lost` several times a second. The outcome of the other messages is empty.
    std::vector<std::optional<outcome>> wait(std::chrono::steady_clock::time_point deadline,
                                             const std::stop_token& stop,
                                             const std::function<bool()>& lost);

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::uint64_t batch_ = 0;
    std::size_t open_ = 0;
    std::vector<std::optional<outcome>> outcomes_;
};

}  // namespace postrider::relaying
