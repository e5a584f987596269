#include "worker/sources/received_batch.hpp"

#include <algorithm>
#include <optional>
#include <postrider/error.hpp>
#include <utility>

#include "base/encoding/hex.hpp"
#include "base/encoding/sha256.hpp"
#include "base/encoding/utf8.hpp"

namespace postrider {

source::~source() = default;

}  // namespace postrider

namespace postrider::working {
namespace {

constexpr std::size_t text_max = 255;
constexpr int cycle_max = 1'000'000;  // hand_over() takes no more

void cut(std::string& text) {
    if (text.size() > text_max || usable_utf8(text) < text.size()) {
        text = repaired_utf8(text, text_max);
    }
}

void make_key(std::string& text) {
    if (text.size() > text_max || usable_utf8(text) < text.size()) {
        const auto hash = sha256(text);
        text = hex(std::string_view(reinterpret_cast<const char*>(hash.data()), hash.size()));
    }
}

std::optional<uuid> parsed(std::string_view text) {
    constexpr std::size_t uuid_length = 36;
    if (text.size() != uuid_length) {
        return std::nullopt;
    }
    try {
        return uuid::parse(text);
    } catch (const usage_error&) {
        return std::nullopt;
    }
}

}  // namespace

uuid id_of(const received_message& message) {
    if (const auto own = parsed(message.id)) {
        return *own;
    }
    const auto hash = sha256(message.source + "\n" + message.id);
    uuid made;
    std::ranges::copy_n(hash.begin(), made.bytes.size(), made.bytes.begin());
    return made;
}

void fit(received_message& message) {
    make_key(message.id);
    cut(message.event_type);
    cut(message.source);
    if (message.idempotency_key) {
        make_key(*message.idempotency_key);
    }
    for (auto* one : {&message.ordering_key, &message.partition_key, &message.trace_context}) {
        if (*one) {
            cut(**one);
        }
    }
    if (message.workspace_id && !parsed(*message.workspace_id)) {
        message.workspace_id.reset();
    }
    if (message.published_at == std::chrono::system_clock::time_point{}) {
        message.published_at = std::chrono::system_clock::now();
    }
    if (message.occurred_at == std::chrono::system_clock::time_point{}) {
        message.occurred_at = message.published_at;
    }
    message.cycle = std::clamp(message.cycle, 1, cycle_max);
}

std::size_t bytes_of(const received_message& message) {
    return message.payload.size() + (message.headers ? message.headers->size() : 0) +
           (message.metadata ? message.metadata->size() : 0);
}

received_batch::received_batch(std::vector<received_message> messages)
    : messages_(std::move(messages)), settled_(messages_.size()) {
    for (const auto& one : messages_) {
        bytes_ += bytes_of(one);
    }
}

received_message received_batch::take(int index) {
    auto& message = messages_[static_cast<std::size_t>(index)];
    bytes_ -= bytes_of(message);
    settled_[static_cast<std::size_t>(index)] = true;
    return std::exchange(message, {});
}

event_fields received_batch::fields(int index) const {
    const auto& from = (*this)[index];
    event_fields to;
    to.id = id_of(from).bytes;
    to.event_type = from.event_type;
    to.event_version = from.event_version;
    to.occurred_at = from.occurred_at;
    to.source = from.source;
    if (const auto workspace = parsed(from.workspace_id.value_or(""))) {
        to.workspace_id = workspace->bytes;
    }
    to.payload = from.payload;
    to.headers = from.headers;
    to.idempotency_key = from.idempotency_key;
    if (!to.idempotency_key && !parsed(from.id)) {
        to.idempotency_key = from.id;
    }
    to.ordering_key = from.ordering_key;
    to.partition_key = from.partition_key;
    to.trace_context = from.trace_context;
    to.cycle = from.cycle;
    return to;
}

}  // namespace postrider::working
