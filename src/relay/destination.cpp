#include "relay/destination.hpp"

#include <algorithm>
#include <array>
#include <postrider/error.hpp>
#include <utility>

#include "relay/relay_url.hpp"

namespace postrider::relaying {
namespace {

using getter = std::optional<std::string> (*)(const event&);

std::optional<std::string> text_of(std::optional<std::string_view> value) {
    return value ? std::optional<std::string>(*value) : std::nullopt;
}

constexpr std::array<std::pair<std::string_view, getter>, 10> fields{{
    {"id", [](const event& e) { return std::optional(e.id()); }},
    {"event_type", [](const event& e) { return text_of(e.event_type()); }},
    {"event_version",
     [](const event& e) { return std::optional(std::to_string(e.event_version())); }},
    {"source", [](const event& e) { return text_of(e.source()); }},
    {"target", [](const event& e) { return text_of(e.target()); }},
    {"workspace_id", [](const event& e) { return e.workspace_id(); }},
    {"ordering_key", [](const event& e) { return text_of(e.ordering_key()); }},
    {"partition_key", [](const event& e) { return text_of(e.partition_key()); }},
    {"content_class", [](const event& e) { return text_of(e.content_class()); }},
    {"generation",
     [](const event& e) {
         return e.generation() ? std::optional(std::to_string(*e.generation())) : std::nullopt;
     }},
}};

getter field_named(std::string_view name) {
    const auto* found =
        std::ranges::find(fields, name, &std::pair<std::string_view, getter>::first);
    if (found != fields.end()) {
        return found->second;
    }
    std::string known;
    for (const auto& [one, ignored] : fields) {
        known.append(known.empty() ? "" : ", ").append(one);
    }
    throw usage_error("the destination has the unknown field {" + std::string(name) +
                      "}; fields are " + known);
}

// Servers resolve them, encoded or not.
bool has_dot_segment(std::string_view url) {
    for (auto rest = url.substr(0, url.find_first_of("?#")); !rest.empty();) {
        const auto end = std::min(rest.find('/'), rest.size());
        const auto segment = rest.substr(0, end);
        if (segment == "." || segment == "..") {
            return true;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

}  // namespace

destination::destination(std::string_view text, encoding how) : how_(how) {
    part open;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char one = text[at];
        if (one != '{' && one != '}') {
            open.text += one;
        } else if (at + 1 < text.size() && text[at + 1] == one) {
            open.text += one;
            ++at;
        } else {
            const auto end = text.find('}', at);
            if (one == '}' || end == std::string_view::npos) {
                throw usage_error(
                    "the destination has an unmatched brace; write {{ or }} for a brace");
            }
            open.field = text.substr(at + 1, end - at - 1);
            open.value = field_named(open.field);
            parts_.push_back(std::exchange(open, {}));
            at = end;
        }
    }
    parts_.push_back(std::move(open));
}

std::optional<std::string> destination::of(const event& event, std::string& problem) const {
    std::string made;
    for (const auto& one : parts_) {
        made += one.text;
        if (one.value == nullptr) {
            continue;
        }
        const auto value = one.value(event);
        if (!value || value->empty()) {
            problem = "the message has no " + one.field + ", which the destination needs";
            return std::nullopt;
        }
        made += how_ == encoding::url ? percent_encoded(*value) : *value;
    }
    if (how_ == encoding::url && has_dot_segment(made)) {
        problem =
            "the fields of the message would add '.' or '..' to the path of the URL, which is not "
            "allowed";
        return std::nullopt;
    }
    return made;
}

}  // namespace postrider::relaying
