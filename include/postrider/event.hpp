#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <postrider/export.hpp>
#include <postrider/outcome.hpp>
#include <postrider/payload.hpp>
#include <string>
#include <string_view>

namespace postrider {

/// The values behind an event; texts point to memory owned by the caller.
struct event_fields {
    std::array<std::uint8_t, 16> id = {};
    std::string_view event_type = {};
    int event_version = 1;
    std::chrono::system_clock::time_point occurred_at = {};
    std::string_view source = {};
    std::optional<std::string_view> target = {};
    std::optional<std::array<std::uint8_t, 16>> workspace_id = {};
    std::string_view payload = "{}";
    std::optional<std::string_view> headers = {};
    std::optional<std::string_view> idempotency_key = {};
    std::optional<std::string_view> ordering_key = {};
    std::optional<std::string_view> partition_key = {};
    std::optional<std::string_view> trace_context = {};
    std::optional<std::string_view> content_class = {};
    std::optional<std::int64_t> generation = {};
    int cycle = 1;
};

/// A message as a handler gets it. Its texts are valid while the handler runs: copy values that
/// must outlive it.
class POSTRIDER_EXPORT event {
  public:
    /// Internal: made by the worker and by postrider::testing.
    explicit event(const event_fields& fields) : fields_(fields) {}
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    event(event&&) = default;
    event& operator=(event&&) = default;
    ~event() = default;

    std::string id() const;  ///< a UUID as text
    std::string_view event_type() const noexcept { return fields_.event_type; }
    int event_version() const noexcept { return fields_.event_version; }
    std::chrono::system_clock::time_point occurred_at() const noexcept {
        return fields_.occurred_at;
    }
    std::string_view source() const noexcept { return fields_.source; }
    std::optional<std::string_view> target() const noexcept { return fields_.target; }
    std::optional<std::string> workspace_id() const;
    std::string_view payload() const noexcept { return fields_.payload; }  ///< JSON
    std::optional<std::string_view> headers() const noexcept { return fields_.headers; }
    /// The same for all retries and replays; the id unless the producer set a key.
    std::string idempotency_key() const;
    std::optional<std::string_view> ordering_key() const noexcept { return fields_.ordering_key; }
    std::optional<std::string_view> partition_key() const noexcept { return fields_.partition_key; }
    std::optional<std::string_view> trace_context() const noexcept { return fields_.trace_context; }
    std::optional<std::string_view> content_class() const noexcept { return fields_.content_class; }
    std::optional<std::int64_t> generation() const noexcept { return fields_.generation; }
    /// Above 1 after a replay; in a batch each event has its own.
    int cycle() const noexcept { return fields_.cycle; }

    /// The decoded payload. Throws payload_error when it cannot be decoded, which is terminal:
    /// another attempt would read the same bytes.
    template <payload_value Value>
    Value payload_as() const {
        try {
            return payload_codec<Value>::decode(fields_.payload);
        } catch (const std::exception& problem) {
            throw payload_error(std::string(fields_.event_type) + ": " + problem.what());
        }
    }

  private:
    event_fields fields_;
};

}  // namespace postrider
