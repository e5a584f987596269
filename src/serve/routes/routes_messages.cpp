#include <postrider/error.hpp>

#include "base/encoding/uuid.hpp"
#include "base/json/json.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/jobs.hpp"
#include "store/reads/surface.hpp"
#include "store/reads/views.hpp"

namespace postrider::serve {
namespace {

answer search(const call& asked) {
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        nlohmann::json filter = nlohmann::json::object();
        for (const auto* name : {"id", "idempotency_key", "trace", "event_type", "channel"}) {
            if (auto value = asked.query(name); !value.empty()) {
                filter[name] = std::move(value);
            }
        }
        for (const auto* name : {"since", "until"}) {
            if (const auto value = asked.query(name); !value.empty()) {
                filter[name] = store::instant_ago(session, value);
            }
        }
        // The number of messages scanned per page is limited, so the range need not be.
        if (!filter.contains("since")) {
            filter["since"] = "-infinity";
        }
        if (auto value = asked.query("workspace"); !value.empty()) {
            filter["workspace_id"] = std::move(value);
        }
        return store::messages(session, asked.narrowed(std::move(filter)), page);
    }));
}

std::string message_id(const call& asked) {
    return uuid::parse(asked.path_parameters.at("id")).text();
}

answer show_message(const call& asked) {
    const auto id = message_id(asked);
    return {asked.with.database.with(
        [&](pg::connection& session) { return store::message_json(session, asked.access(), id); })};
}

answer show_message_payload(const call& asked) {
    const auto id = message_id(asked);
    return {.body = asked.with.database.with([&](pg::connection& session) {
                return store::reveal(session, asked.access(), id, {},
                                     {asked.holder.name, "looked at it"});
            }),
            .keep = false};
}

answer list_attempts(const call& asked) {
    const auto id = message_id(asked);
    return page_answer(asked.with.database.with(
        [&](pg::connection& session) { return store::attempts(session, id, asked.access()); }));
}

answer deliveries(const call& asked) {
    const auto page = asked.page();
    const auto status = asked.query("status");
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        return store::deliveries(session, asked.query("consumer"), asked.query("handler"),
                                 status.empty() ? "pending" : status, asked.access(), page);
    }));
}

constexpr int cancelled_most = 1000;

answer preview_cancel(const call& asked) {
    const auto filter = asked.filter(asked.body({"filter"}));
    const auto jobs = asked.with.database.with([&](pg::connection& session) {
        return store::cancel_preview(session, filter, cancelled_most);
    });
    int running = 0;
    for (int row = 0; row < jobs.size(); ++row) {
        running += jobs.text(row, "was") == "in_flight" ? 1 : 0;
    }
    return {json_object().add("count", jobs.size()).add("running", running).text()};
}

// The member `limit`: the number of jobs that a preview has shown.
int limit_of_cancel(const nlohmann::json& body) {
    const auto found = body.find("limit");
    if (found == body.end() || found->is_null()) {
        return cancelled_most;
    }
    if (!found->is_number_integer() || *found < 1 || *found > cancelled_most) {
        throw usage_error("limit must be a number from 1 to 1000");
    }
    return found->get<int>();
}

answer cancel(const call& asked) {
    const auto body = asked.body({"filter", "limit", "reason"});
    const auto filter = asked.filter(body);
    const auto most = limit_of_cancel(body);
    return {json_object()
                .add("count", asked.with.database.with([&](pg::connection& session) {
                    return store::cancel(session, filter, most, asked.audit(body)).size();
                }))
                .text()};
}

}  // namespace

std::vector<route> message_routes(const serve_options&) {
    return {
        {.method = "GET",
         .path = "/api/v1/messages",
         .run = search,
         .queries = {"limit", "after", "id", "idempotency_key", "trace", "event_type", "workspace",
                     "channel", "since", "until"}},
        {.method = "GET", .path = "/api/v1/messages/{id}", .run = show_message},
        {.method = "GET",
         .path = "/api/v1/messages/{id}/payload",
         .needed = standing::operators,
         .run = show_message_payload},
        {.method = "GET", .path = "/api/v1/messages/{id}/attempts", .run = list_attempts},
        {.method = "POST",
         .path = "/api/v1/jobs/cancel/preview",
         .needed = standing::operators,
         .run = preview_cancel},
        {.method = "POST",
         .path = "/api/v1/jobs/cancel",
         .needed = standing::operators,
         .run = cancel},
        {.method = "GET",
         .path = "/api/v1/deliveries",
         .run = deliveries,
         .queries = {"limit", "after", "consumer", "handler", "status"}},
    };
}

}  // namespace postrider::serve
