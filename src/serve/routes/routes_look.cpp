#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/surface.hpp"

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
            return store::consumer_rows(on, asked.access(), page, asked.query("consumer"));
        }),
        {"limit", "after", "consumer"}, true);
    add("/api/v1/handlers", list([](session& on, const call& asked, const request& page) {
            return store::handler_rows(on, asked.access(), page, asked.query("consumer"),
                                       asked.query("handler"));
        }),
        {"limit", "after", "consumer", "handler"}, true);
    add("/api/v1/leases", list([](session& on, const call& asked, const request& page) {
            return store::lease_rows(on, page, asked.query("consumer"));
        }),
        {"limit", "after", "consumer"});
    add("/api/v1/workers", list([](session& on, const call& asked, const request& page) {
            return store::worker_rows(on, page, asked.query("consumer"), asked.flag("all"));
        }),
        {"limit", "after", "consumer", "all"});
    add("/api/v1/alerts", list([](session& on, const call& asked, const request& page) {
            return store::alert_rows(on, asked.access(), page, asked.flag("unsent"));
        }),
        {"limit", "after", "unsent"});
    add("/api/v1/audits", list([](session& on, const call& asked, const request& page) {
            return store::audit_rows(on, asked.access(), page, asked.query("actor"),
                                     asked.query("action"));
        }),
        {"limit", "after", "actor", "action"});
    add("/api/v1/retention",
        list([](session& on, const call&, const request&) { return store::retention_rows(on); }),
        {});
    add("/api/v1/unmatched",
        list([](session& on, const call&, const request&) { return store::unmatched_rows(on); }),
        {});
    add("/api/v1/settings",
        list([](session& on, const call&, const request&) { return store::setting_rows(on); }), {});
    return made;
}

}  // namespace postrider::serve
