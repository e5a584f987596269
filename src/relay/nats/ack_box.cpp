#include "relay/nats/ack_box.hpp"

#include <algorithm>
#include <charconv>

#include "base/json/check_json.hpp"
#include "base/json/json_members.hpp"
#include "relay/publisher.hpp"

namespace postrider::relaying {
namespace {

// JetStream's errors for messages that it never accepts.
constexpr std::string_view message_exceeds_maximum = "10054";
// … and for all messages: a limit of the stream, the server or the account is reached.
constexpr std::string_view store_failed = "10077";
constexpr std::string_view insufficient_resources = "10023";
constexpr std::string_view account_limit_exceeded = "10002";
// Longer than it takes a server to forget a deduplication id by default, over five attempts.
constexpr std::chrono::seconds until_forgotten{30};

outcome refused(std::string_view error) {
    std::string code = "error";
    std::string text = "JetStream refused the message";
    for (const auto& one : json_members(error)) {
        if (one.name == "err_code") {
            code = one.value;
        } else if (one.name == "description" && one.value.starts_with('"')) {
            text = json_unquoted(one.value);
        }
    }
    if (code == message_exceeds_maximum) {
        return terminal(std::move(text), "relay_too_large");
    }
    // A limit per subject concerns some messages only.
    const bool full = code == store_failed && text.find("exceeded") != std::string::npos &&
                      text.find("per subject") == std::string::npos;
    if (full || code == insufficient_resources || code == account_limit_exceeded) {
        return unavailable("JetStream refuses writes: " + text);
    }
    return transient(std::move(text), "nats:" + code);
}

}  // namespace

outcome nats_outcome(std::string_view acknowledgement) {
    const auto unreadable = [] {
        return transient("the answer is not an acknowledgement of JetStream", "relay_no_stream");
    };
    const auto found = check_json(acknowledgement);
    if (found.problem != nullptr || !found.object) {
        return unreadable();
    }
    std::string_view sequence = "0";
    std::string_view stream;
    bool duplicate = false;
    for (const auto& one : json_members(acknowledgement)) {
        if (one.name == "error" && one.value.starts_with('{')) {
            return refused(one.value);
        }
        if (one.name == "seq") {
            sequence = one.value;
        } else if (one.name == "stream") {
            stream = one.value;
        } else if (one.name == "duplicate") {
            duplicate = one.value == "true";
        }
    }
    if (!stream.starts_with('"') || stream.size() <= 2 ||
        sequence.find_first_not_of("0123456789") != std::string_view::npos) {
        return unreadable();
    }
    if (sequence == "0") {
        // The server has the deduplication id of a message that it did not store.
        return retry_after(until_forgotten,
                           duplicate ? "JetStream reports a duplicate of a message that it did not "
                                       "store"
                                     : "JetStream did not store the message",
                           "relay_not_stored");
    }
    return delivered();
}

outcome nats_no_stream() {
    return transient("no stream of JetStream has the subject", "relay_no_stream");
}

std::uint64_t ack_box::begin(std::size_t messages) {
    const std::lock_guard lock(mutex_);
    outcomes_.assign(messages, std::nullopt);
    open_ = messages;
    return ++batch_;
}

std::string ack_box::reply_of(std::uint64_t batch, std::size_t index) {
    return std::to_string(batch) + "." + std::to_string(index);
}

void ack_box::put(std::string_view reply, outcome how) {
    const auto* end = reply.data() + reply.size();
    std::uint64_t batch = 0;
    std::size_t index = 0;
    const auto first = std::from_chars(reply.data(), end, batch);
    if (first.ptr == end || *first.ptr != '.' ||
        std::from_chars(first.ptr + 1, end, index).ptr != end) {
        return;
    }
    const std::lock_guard lock(mutex_);
    if (batch == batch_ && index < outcomes_.size() && !outcomes_[index]) {
        outcomes_[index] = std::move(how);
        if (--open_ == 0) {
            changed_.notify_all();
        }
    }
}

std::vector<std::optional<outcome>> ack_box::wait(std::chrono::steady_clock::time_point deadline,
                                                  const std::stop_token& stop,
                                                  const std::function<bool()>& lost) {
    constexpr auto between_looks = std::chrono::milliseconds(50);
    std::unique_lock lock(mutex_);
    while (open_ > 0 && !stop.stop_requested()) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline || lost()) {
            break;
        }
        changed_.wait_until(lock, stop, std::min(deadline, now + between_looks),
                            [this] { return open_ == 0; });
    }
    return outcomes_;
}

}  // namespace postrider::relaying
