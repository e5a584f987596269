#include "client/publish/check_message.hpp"

#include <fmt/core.h>

#include <concepts>
#include <postrider/error.hpp>

#include "base/encoding/utf8.hpp"
#include "base/encoding/uuid.hpp"
#include "base/json/check_json.hpp"

namespace postrider::client {
namespace {

constexpr std::size_t name_max = 255;
constexpr std::size_t channel_max = 63;
constexpr std::size_t payload_max = 1'048'576;
constexpr std::size_t document_max = 65'536;

class message_check {
  public:
    message_check(const message& input, std::string_view operation, std::size_t number)
        : message_(input), operation_(operation), number_(number) {}

    void run() const {
        require(!message_.event_type.empty(), "event_type is missing");
        text("event_type", message_.event_type);
        text("channel", message_.channel, channel_max);
        text("source", message_.source);
        require(message_.target != "",
                "target must not be empty; leave it out to address every consumer");
        if_given("target", message_.target);
        json("payload", message_.payload, payload_max);
        document("headers", message_.headers);
        document("metadata", message_.metadata);
        require(message_.idempotency_key != "",
                "idempotency_key must not be empty; leave it out to use the id");
        if_given("idempotency_key", message_.idempotency_key);
        if_given("ordering_key", message_.ordering_key);
        if_given("partition_key", message_.partition_key);
        if_given("trace_context", message_.trace_context);
        if_given("content_class", message_.content_class);
        require(message_.priority >= -100 && message_.priority <= 100,
                "priority must be between -100 and 100");
        require(!message_.max_attempts ||
                    (*message_.max_attempts >= 1 && *message_.max_attempts <= 1000),
                "max_attempts must be between 1 and 1000");
        if (!message_.id.empty()) {
            id("id", message_.id);
        }
        if (message_.workspace_id) {
            id("workspace_id", *message_.workspace_id);
        }
    }

  private:
    [[noreturn]] void refuse(errc code, std::string_view problem) const {
        const auto which = number_ == 0 ? std::string() : fmt::format("message {}: ", number_);
        throw usage_error(code, fmt::format("{}: {}{}", operation_, which, problem),
                          {.operation = std::string(operation_)});
    }
    void require(bool fulfilled, std::string_view problem) const {
        if (!fulfilled) {
            refuse(errc::invalid_argument, problem);
        }
    }

    void text(std::string_view name, std::string_view value,
              std::size_t bytes_max = name_max) const {
        if (value.size() > bytes_max) {
            refuse(errc::too_large, fmt::format("{} must have at most {} bytes", name, bytes_max));
        }
        require(usable_utf8(value) == value.size(),
                [&] { return fmt::format("{} must be UTF-8 without zero bytes", name); });
    }
    void if_given(std::string_view name, const std::optional<std::string>& value) const {
        if (value) {
            text(name, *value);
        }
    }

    json_finding json(std::string_view name, std::string_view value, std::size_t bytes_max) const {
        if (value.size() > bytes_max) {
            refuse(
                errc::too_large,
                fmt::format(
                    "{} must have at most {} bytes; store larger documents elsewhere and publish a"
                    " reference",
                    name, bytes_max));
        }
        const auto found = check_json(value);
        require(found.problem == nullptr, [&] {
            return fmt::format("{} is not JSON that PostgreSQL can store, at byte {}: {}", name,
                               found.at, found.problem);
        });
        return found;
    }
    void document(std::string_view name, const std::optional<std::string>& value) const {
        if (value) {
            require(json(name, *value, document_max).object,
                    [&] { return fmt::format("{} must be a JSON object", name); });
        }
    }

    void id(std::string_view name, const std::string& value) const {
        try {
            uuid::parse(value);
        } catch (const usage_error& problem) {
            refuse(errc::invalid_argument, fmt::format("{}: {}", name, problem.what()));
        }
    }

    template <typename Problem>
    requires std::invocable<const Problem&>
    void require(bool fulfilled, const Problem& problem) const {
        if (!fulfilled) {
            refuse(errc::invalid_argument, problem());
        }
    }

    const message& message_;
    std::string_view operation_;
    std::size_t number_;
};

}  // namespace

void check_message(const message& input, std::string_view operation, std::size_t number) {
    message_check(input, operation, number).run();
}

}  // namespace postrider::client
