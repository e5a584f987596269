#pragma once

#include <functional>
#include <nlohmann/json.hpp>
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

/// Thrown for a request that cannot be answered; becomes a JSON-RPC error.
struct refusal {
    code why;
    std::string message;
};

struct request {
    std::string method;
    nlohmann::json params;  ///< an object; default {}
};

/// Returns the result, or throws a refusal. The result of a notification is ignored.
using handler = std::function<nlohmann::ordered_json(const request&)>;

/// The response to one line; empty for a notification or an unexpected response.
std::string answer(std::string_view line, const handler& handle);
/// The response to a line that exceeds the limit.
std::string refuse_length(std::size_t limit);

}  // namespace postrider::cli::rpc
