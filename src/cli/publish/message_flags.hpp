#pragma once

#include <cstdint>
#include <optional>
#include <postrider/message.hpp>
#include <postrider/publish.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace postrider::cli {

/// The envelope of a message as options of a command.
struct message_flags {
    std::string event_type;
    std::string source;
    std::optional<std::string> target;
    std::string channel;
    std::optional<std::int64_t> generation;
    std::string id;
    int event_version = 1;
    std::optional<std::string> occurred_at;
    std::optional<std::string> workspace;
    std::optional<std::string> idempotency_key;
    std::optional<std::string> ordering_key;
    std::optional<std::string> partition_key;
    std::vector<std::string> headers;
    std::optional<std::string> metadata;
    std::optional<std::string> trace_context;
    std::optional<std::string> content_class;
    std::optional<std::string> available_at;
    std::optional<std::string> delay;
    int priority = 0;
    std::optional<int> max_attempts;
    std::optional<std::string> unique_key;
    std::optional<std::string> unique_scope;
    std::optional<std::string> unique_for;

    void add_to(CLI::App& command);
    /// Without the fields that differ from message to message.
    void add_lasting_to(CLI::App& command);
    /// Without payload and `delay`, which needs the database's clock. Throws usage_error.
    message envelope() const;
    /// Nothing without --unique-key. Throws usage_error.
    std::optional<postrider::unique_key> unique() const;
};

}  // namespace postrider::cli
