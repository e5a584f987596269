#include <algorithm>
#include <postrider/error.hpp>
#include <string_view>
#include <vector>

#include "base/json/json.hpp"
#include "relay/publisher.hpp"

namespace postrider::relaying {
namespace {

constexpr std::size_t queue_bytes_max = 47;  // pgmq's limit

bool is_queue(const std::string& name) {
    return !name.empty() && name.size() <= queue_bytes_max &&
           std::ranges::all_of(name, [](unsigned char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
           });
}

// pgmq's own rule for names: lower case; everything that is no letter or digit is an underscore.
std::string queue_named(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '.' || c == '-'; }, '_');
    return text;
}

std::string headers_json(const event& event) {
    json_object all;
    for (const auto& [name, value] : cloud_event_headers(event, binding::kafka)) {
        all.add(name, value);
    }
    return all.text();
}

// PostgreSQL sorts the members of a jsonb object. In the worst order this took 33 s for 131,000 of
// them, 1 MB, and the time grows with the square of their number.
constexpr int members_max = 20000;

/// The number of members of the largest object in a valid JSON document.
int most_members(std::string_view json) {
    std::vector<int> open;  // the colons of each object and array that encloses the position
    int most = 0;
    for (std::size_t at = 0; at < json.size(); ++at) {
        switch (json[at]) {
            case '"':
                for (++at; at < json.size() && json[at] != '"'; ++at) {
                    at += json[at] == '\\' ? 1 : 0;
                }
                break;
            case '{':
            case '[':
                open.push_back(0);
                break;
            case ':':
                most = std::max(most, open.empty() ? 0 : ++open.back());
                break;
            case '}':
            case ']':
                if (!open.empty()) {
                    open.pop_back();
                }
                break;
            default:
                break;
        }
    }
    return most;
}

}  // namespace

transactional_function pgmq_handler(const relay_options& options) {
    if (options.destination.empty()) {
        throw usage_error("a relay to pgmq needs a queue, for example orders or {event_type}");
    }
    const auto place =
        std::make_shared<destination>(options.destination, destination::encoding::plain);
    if (!place->has_fields() && !is_queue(queue_named(options.destination))) {
        throw usage_error("pgmq has no queue named '" + options.destination +
                          "': at most 47 lower-case letters, digits and underscores");
    }
    return [place, most = options.bytes_max](const event& event, transaction& within,
                                             context&) -> outcome {
        if (event.payload().size() > most) {
            return too_large(event.payload().size(), most);
        }
        if (most_members(event.payload()) > members_max) {
            return terminal("an object of the payload has more than " +
                                std::to_string(members_max) + " members",
                            "relay_too_large");
        }
        std::string problem;
        const auto text = place->of(event, problem);
        if (!text) {
            return unroutable(problem);
        }
        const auto queue = queue_named(*text);
        if (!is_queue(queue)) {
            return unroutable("pgmq has no queue named '" + queue + "'");
        }
        within.exec("select pgmq.send($1, $2::jsonb, $3::jsonb)", queue, event.payload(),
                    headers_json(event));
        return delivered();
    };
}

}  // namespace postrider::relaying
