#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli::rpc {

/// JSON-RPC 2.0, one message per line.

enum class code {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603
};

/// What a request is answered with when it cannot be done; becomes an error of the protocol.
struct refusal {
    code why;
    std::string message;
};

struct request {
    std::string method;
    std::string params;  ///< an object; {} when there was none
};

/// Gives the result as JSON, or throws a refusal. For a notification the result is thrown away.
using handler = std::function<std::string(const request&)>;

/// The answer to one line; empty when it needs none: a notification, or an answer to something that
/// was never asked.
std::string answer(std::string_view line, const handler& handle);
/// The answer to a line that is longer than anybody may send.
std::string refuse_length(std::size_t limit);

}  // namespace postrider::cli::rpc
