#include <postrider/cancel.hpp>
#include <postrider/error.hpp>

#include "base/encoding/utf8.hpp"
#include "base/encoding/uuid.hpp"
#include "base/json/json.hpp"

namespace postrider {
namespace {

std::string usable_text(const char* name, const std::string& value) {
    if (usable_utf8(value) != value.size()) {
        throw usage_error(std::string("cancel: ") + name + " must be UTF-8 without zero bytes");
    }
    return value;
}

std::string job_filter_json(const job_filter& which) {
    json_object made;
    if (!which.ids.empty()) {
        json_array ids;
        for (const auto& id : which.ids) {
            ids.add(uuid::parse(id).text());
        }
        made.add_raw("ids", ids.text());
    }
    for (const auto& [name, value] : {std::pair("unique_key", &which.unique_key),
                                      {"consumer", &which.consumer},
                                      {"channel", &which.channel},
                                      {"handler", &which.handler},
                                      {"event_type", &which.event_type},
                                      {"workspace_id", &which.workspace_id}}) {
        if (*value) {
            made.add(name, usable_text(name, **value));
        }
    }
    return made.text();
}

}  // namespace

std::int64_t cancel(executor& within, const job_filter& which, const audit_note& why) {
    const std::optional<std::string> values[] = {
        job_filter_json(which), usable_text("actor", why.actor), usable_text("reason", why.reason)};
    return std::stoll(
        within.query_value("select count(*) from postrider.cancel($1, $2, $3)", values));
}

}  // namespace postrider
