#include "serve/routes/call.hpp"

#include <algorithm>
#include <charconv>
#include <postrider/error.hpp>

#include "base/json/check_json.hpp"
#include "base/json/json.hpp"
#include "serve/auth/secret.hpp"

namespace postrider::serve {
namespace {

std::vector<std::string> pieces(std::string_view text, char separator) {
    std::vector<std::string> found;
    while (true) {
        const auto end = text.find(separator);
        found.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return found;
        }
        text.remove_prefix(end + 1);
    }
}

std::optional<std::int64_t> parse_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && value >= 0
               ? std::optional(value)
               : std::nullopt;
}

}  // namespace

standing standing_of(std::string_view role) {
    return role == "admin"      ? standing::admin
           : role == "operator" ? standing::operators
                                : standing::viewer;
}

std::string call::query(const std::string& name) const {
    auto value = request.get_param_value(name);
    // Not allowed in PostgreSQL's text.
    if (value.find('\0') != std::string::npos) {
        throw usage_error(name + ": zero bytes are not allowed");
    }
    return value;
}

bool call::flag(const std::string& name) const {
    const auto value = query(name);
    if (!value.empty() && value != "true" && value != "false") {
        throw usage_error(name + " must be true or false");
    }
    return value == "true";
}

store::page_request call::page() const {
    constexpr int limit_max = 1000;
    store::page_request page{.limit = 50, .look_ahead = true};
    if (const auto limit = query("limit"); !limit.empty()) {
        const auto value = parse_number(limit);
        if (!value || *value < 1 || *value > limit_max) {
            throw usage_error("limit must be a number from 1 to 1000");
        }
        page.limit = static_cast<int>(*value);
    }
    if (const auto after = query("after"); !after.empty()) {
        page.after = from_base64url(after);
    }
    return page;
}

store::read_access call::access() const {
    const auto rank = standing_of(holder.role);
    return {.error_texts = rank >= standing::operators,
            .before_and_after = rank >= standing::admin,
            .workspace = holder.workspace,
            .ids_as_text = true,
            .error_chars = 500};
}

std::int64_t call::number(const std::string& name) const {
    const auto value = parse_number(path_parameters.at(name));
    if (!value) {
        throw usage_error(name + " must be a number, got '" +
                          path_parameters.at(name).substr(0, 40) + "'");
    }
    return *value;
}

std::vector<json_member> call::body_members(const std::vector<std::string>& members) const {
    const auto checked = check_json(request.body);
    if (checked.problem != nullptr) {
        throw usage_error("the body is not JSON that PostgreSQL can store, at byte " +
                          std::to_string(checked.at) + ": " + checked.problem);
    }
    if (!checked.object) {
        throw usage_error("the body must be a JSON object");
    }
    // A body can have millions of members, so the first wrong one ends this.
    std::vector<json_member> found;
    for_each_json_member(request.body, [&](json_member one) {
        if (std::ranges::find(members, one.name) == members.end()) {
            throw usage_error("unknown member '" + one.name.substr(0, 40) + "' in the body");
        }
        if (std::ranges::find(found, one.name, &json_member::name) != found.end()) {
            throw usage_error("the body has the member '" + one.name + "' twice");
        }
        found.push_back(std::move(one));
    });
    return found;
}

nlohmann::json call::body(const std::vector<std::string>& members) const {
    static_cast<void>(body_members(members));
    auto parsed = nlohmann::json::parse(request.body, nullptr, false);
    if (!parsed.is_object()) {
        throw usage_error("the body has a number that is too large");
    }
    return parsed;
}

std::string text_of(const nlohmann::json& body, const std::string& member,
                    const std::string& otherwise) {
    const auto found = body.find(member);
    if (found == body.end() || found->is_null()) {
        return otherwise;
    }
    if (!found->is_string()) {
        throw usage_error(member + " must be text");
    }
    return found->get<std::string>();
}

store::audit_entry call::audit(const nlohmann::json& body) const {
    return {holder.name, text_of(body, "reason")};
}

store::dead_filter call::filter(const nlohmann::json& body) const {
    const auto found = body.find("filter");
    if (found == body.end() || !found->is_object()) {
        throw usage_error("filter must be a JSON object; {} means all dead letters");
    }
    return narrowed(*found);
}

store::dead_filter call::narrowed(nlohmann::json filter) const {
    if (holder.workspace) {
        const auto asked = text_of(filter, "workspace_id", *holder.workspace);
        if (asked != *holder.workspace) {
            throw error(errc::permission_denied, "this token is for another workspace");
        }
        filter["workspace_id"] = *holder.workspace;
    }
    return filter.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

store::expected_count expected_of(const nlohmann::json& body) {
    const auto found = body.find("expected");
    if (found == body.end() || found->is_null()) {
        return std::nullopt;
    }
    if (!found->is_number_unsigned()) {
        throw usage_error("expected must be a number, at least 0");
    }
    return found->get<std::int64_t>();
}

answer page_answer(const store::listing& page) {
    json_object object;
    object.add_raw("rows", page.array());
    if (page.next()) {
        object.add("next", base64url(*page.next()));
    } else {
        object.add_raw("next", "null");
    }
    object.add("searched_to", page.searched_to());
    return {object.text()};
}

std::optional<std::map<std::string, std::string>> match(const std::string& pattern,
                                                        const std::string& path) {
    const auto wanted = pieces(pattern, '/');
    const auto actual = pieces(path, '/');
    if (wanted.size() != actual.size()) {
        return std::nullopt;
    }
    std::map<std::string, std::string> found;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].starts_with('{')) {
            if (actual[i].empty()) {
                return std::nullopt;
            }
            found.emplace(wanted[i].substr(1, wanted[i].size() - 2), actual[i]);
        } else if (wanted[i] != actual[i]) {
            return std::nullopt;
        }
    }
    return found;
}

}  // namespace postrider::serve
