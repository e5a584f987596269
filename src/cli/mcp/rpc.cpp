#include "cli/mcp/rpc.hpp"

#include <exception>

#include "base/check_json.hpp"
#include "base/json.hpp"
#include "base/json_members.hpp"

namespace postrider::cli::rpc {
namespace {

std::string error_reply(std::string_view id, code why, std::string_view message) {
    json_object error;
    error.add("code", static_cast<int>(why)).add("message", message);
    return json_object()
        .add("jsonrpc", "2.0")
        .add_raw("id", id)
        .add_raw("error", error.text())
        .text();
}

// A string or an integer, not null.
bool is_id(std::string_view value) {
    if (value.starts_with('"')) {
        return true;
    }
    const auto digits = value.starts_with('-') ? value.substr(1) : value;
    return !digits.empty() && digits.size() < 19 &&
           digits.find_first_not_of("0123456789") == std::string_view::npos;
}

struct envelope {
    std::string_view version;
    std::string_view id;  ///< empty: absent
    std::string_view method;
    std::string_view params = "{}";
    bool is_answer = false;
};

envelope open(const std::vector<json_member>& members) {
    envelope found;
    for (const auto& [name, value] : members) {
        if (name == "jsonrpc") {
            found.version = value;
        } else if (name == "id") {
            found.id = value;
        } else if (name == "method") {
            found.method = value;
        } else if (name == "params") {
            found.params = value;
        } else if (name == "result" || name == "error") {
            found.is_answer = true;
        }
    }
    return found;
}

const char* problem_of(const envelope& found) {
    if (found.version != "\"2.0\"") {
        return "jsonrpc must be \"2.0\"";
    }
    if (!found.id.empty() && !is_id(found.id)) {
        return "id must be a string or a whole number";
    }
    if (!found.method.starts_with('"')) {
        return "method must be a string";
    }
    return nullptr;
}

}  // namespace

std::string answer(std::string_view line, const handler& handle) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
        return {};
    }
    const auto read = check_json(line);
    if (read.problem != nullptr) {
        return error_reply("null", code::parse_error,
                           "byte " + std::to_string(read.at) + ": " + read.problem);
    }
    if (!read.object) {
        return error_reply("null", code::invalid_request, "a message is one JSON object");
    }
    const auto members = json_members(line);
    const auto found = open(members);
    if (found.is_answer && found.method.empty()) {
        return {};
    }
    const auto id = is_id(found.id) ? found.id : "null";
    if (const auto* problem = problem_of(found)) {
        return error_reply(id, code::invalid_request, problem);
    }
    const bool wanted = !found.id.empty();
    const auto refuse = [&](code why, std::string_view message) {
        return wanted ? error_reply(id, why, message) : std::string();
    };
    if (!found.params.starts_with('{')) {
        return refuse(code::invalid_params, "params must be an object");
    }
    try {
        const auto result = handle({json_unquoted(found.method), std::string(found.params)});
        return wanted ? json_object()
                            .add("jsonrpc", "2.0")
                            .add_raw("id", id)
                            .add_raw("result", result)
                            .text()
                      : std::string();
    } catch (const refusal& no) {
        return refuse(no.why, no.message);
    } catch (const std::exception& problem) {
        return refuse(code::internal_error, problem.what());
    }
}

std::string refuse_length(std::size_t limit) {
    return error_reply("null", code::parse_error,
                       "a message may have " + std::to_string(limit) + " bytes");
}

}  // namespace postrider::cli::rpc
