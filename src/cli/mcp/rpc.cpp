#include "cli/mcp/rpc.hpp"

#include <exception>

#include "base/json/check_json.hpp"

namespace postrider::cli::rpc {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string reply(const json& id, const char* member, const ordered_json& value) {
    const ordered_json whole{{"jsonrpc", "2.0"}, {"id", id}, {member, value}};
    return whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string error_reply(const json& id, code why, const std::string& message) {
    return reply(id, "error", {{"code", static_cast<int>(why)}, {"message", message}});
}

bool is_id(const json& value) { return value.is_string() || value.is_number_integer(); }

const char* problem_of(const json& message) {
    if (message.value("jsonrpc", json()) != "2.0") {
        return "jsonrpc must be \"2.0\"";
    }
    if (message.contains("id") && !is_id(message["id"])) {
        return "id must be a string or a whole number";
    }
    if (!message.value("method", json()).is_string()) {
        return "method must be a string";
    }
    return nullptr;
}

}  // namespace

std::string answer(std::string_view line, const handler& handle) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
        return {};
    }
    // The check limits the depth, because nlohmann recurses when it copies or writes a document.
    const auto checked = check_json(line);
    if (checked.problem != nullptr) {
        return error_reply(nullptr, code::parse_error,
                           "byte " + std::to_string(checked.at) + ": " + checked.problem);
    }
    if (!checked.object) {
        return error_reply(nullptr, code::invalid_request, "a message is one JSON object");
    }
    const auto message = json::parse(line, nullptr, false);
    if (message.is_discarded()) {
        return error_reply(nullptr, code::parse_error, "a number is out of range");
    }
    if (!message.contains("method") && (message.contains("result") || message.contains("error"))) {
        return {};
    }
    const bool wanted = message.contains("id");
    const auto id = wanted && is_id(message["id"]) ? message["id"] : json();
    if (const auto* problem = problem_of(message)) {
        return error_reply(id, code::invalid_request, problem);
    }
    const auto refuse = [&](code why, const std::string& text) {
        return wanted ? error_reply(id, why, text) : std::string();
    };
    const auto params = message.value("params", json::object());
    if (!params.is_object()) {
        return refuse(code::invalid_params, "params must be an object");
    }
    try {
        const auto result = handle({message["method"].get<std::string>(), params});
        return wanted ? reply(id, "result", result) : std::string();
    } catch (const refusal& no) {
        return refuse(no.why, no.message);
    } catch (const std::exception& problem) {
        return refuse(code::internal_error, problem.what());
    }
}

std::string refuse_length(std::size_t limit) {
    return error_reply(nullptr, code::parse_error,
                       "a message must have at most " + std::to_string(limit) + " bytes");
}

}  // namespace postrider::cli::rpc
