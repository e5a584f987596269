#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/surface.hpp"
#include "store/reads/views.hpp"

namespace postrider::serve {
namespace {

// A list without further arguments.
template <typename Rows>
std::function<answer(const call&)> list(Rows rows) {
    return [rows](const call& asked) {
        const auto page = asked.page();
        return page_answer(asked.with.database.with(
            [&](pg::connection& session) { return rows(session, asked, page); }));
    };
}

std::string or_else(std::string text, const char* otherwise) {
    return text.empty() ? otherwise : std::move(text);
}

answer read_history(const call& asked) {
    return {asked.with.database.with([&](pg::connection& session) {
        return store::run_history_json(
            session, {asked.query("consumer"), asked.query("channel"), asked.query("handler")},
            or_else(asked.query("span"), "hour"));
    })};
}

answer read_handler(const call& asked) {
    const auto& names = asked.path_parameters;
    return {asked.with.database.with([&](pg::connection& session) {
        return store::handler_json(
            session, asked.access(),
            {names.at("consumer"), or_else(asked.query("channel"), "outbox_default"),
             names.at("handler")},
            or_else(asked.query("span"), "hour"));
    })};
}

}  // namespace

std::vector<route> look_routes(const serve_options&) {
    using session = pg::connection;
    using request = store::page_request;
    std::vector<route> made;
    const auto add = [&](const char* path, std::function<answer(const call&)> run,
                         std::vector<std::string> queries, bool any_workspace = false) {
        made.push_back({.method = "GET",
                        .path = path,
                        .run = std::move(run),
                        .queries = std::move(queries),
                        .any_workspace = any_workspace});
    };
    add("/api/v1/consumers", list([](session& on, const call& asked, const request& page) {
            return store::consumers(on, asked.query("consumer"), asked.access(), page);
        }),
        {"limit", "after", "consumer"}, true);
    add("/api/v1/handlers", list([](session& on, const call& asked, const request& page) {
            return store::handlers(on, asked.query("consumer"), asked.query("handler"),
                                   asked.access(), page);
        }),
        {"limit", "after", "consumer", "handler"}, true);
    add("/api/v1/leases", list([](session& on, const call& asked, const request& page) {
            return store::leases(on, asked.query("consumer"), asked.access(), page);
        }),
        {"limit", "after", "consumer"});
    add("/api/v1/blocked-keys", list([](session& on, const call& asked, const request& page) {
            return store::blocked_keys(on, asked.query("consumer"), asked.access(), page);
        }),
        {"limit", "after", "consumer"});
    add("/api/v1/unique-keys", list([](session& on, const call& asked, const request& page) {
            return store::unique_keys(on, asked.access(), page);
        }),
        {"limit", "after"});
    add("/api/v1/limits", list([](session& on, const call& asked, const request& page) {
            return store::limits(on, asked.query("consumer"), page);
        }),
        {"limit", "after", "consumer"});
    add("/api/v1/brokers", list([](session& on, const call& asked, const request& page) {
            return store::brokers(on, asked.query("consumer"), asked.access(), page);
        }),
        {"limit", "after", "consumer"});
    add("/api/v1/sets", list([](session& on, const call& asked, const request& page) {
            return store::job_sets(on, asked.query("name"), asked.access(), page);
        }),
        {"limit", "after", "name"});
    add("/api/v1/workers", list([](session& on, const call& asked, const request& page) {
            return store::workers(on, asked.query("consumer"), asked.flag("all"), asked.access(),
                                  page);
        }),
        {"limit", "after", "consumer", "all"});
    add("/api/v1/schedules", list([](session& on, const call& asked, const request& page) {
            return store::schedules(on, asked.access(), page);
        }),
        {"limit", "after"}, true);
    add("/api/v1/alerts", list([](session& on, const call& asked, const request& page) {
            return store::alerts(on, asked.flag("unsent"), asked.access(), page);
        }),
        {"limit", "after", "unsent"});
    add("/api/v1/audits", list([](session& on, const call& asked, const request& page) {
            return store::audits(on, asked.query("actor"), asked.query("action"), asked.access(),
                                 page);
        }),
        {"limit", "after", "actor", "action"});
    add("/api/v1/retention",
        list([](session& on, const call&, const request&) { return store::retention_status(on); }),
        {});
    add("/api/v1/unmatched",
        list([](session& on, const call&, const request&) { return store::unmatched(on); }), {});
    add("/api/v1/history", read_history, {"span", "consumer", "channel", "handler"});
    add("/api/v1/handlers/{consumer}/{handler}", read_handler, {"span", "channel"});
    add("/api/v1/settings",
        list([](session& on, const call&, const request&) { return store::settings(on); }), {});
    return made;
}

}  // namespace postrider::serve
