#include "store/reads/views.hpp"

#include "base/json/json.hpp"

namespace postrider::store {
namespace {

// One page of sql/functions/surface/view_page.sql.
struct view_rows {
    std::string_view view;
    json_object filter = {};         ///< columns and their values
    std::string_view hidden = "{}";  ///< columns that are left out, an array of PostgreSQL
    bool viewer = false;             ///< only columns that postrider_viewer may read
    bool ids_as_text = false;
};

listing view_page(pg::connection& session, const view_rows& rows, const page_request& page) {
    pg::params values(rows.view, rows.filter.text());
    values.add(page.rows()).add(page.after).add(rows.hidden).add(rows.viewer).add(rows.ids_as_text);
    return listing(session.exec_params(
                       "select * from postrider.view_page($1, $2, $3, $4, $5, $6, $7)", values),
                   page.limit);
}

// A delivery is a number, a message has a UUID.
std::string_view id_column(std::string_view id) {
    return id.find_first_not_of("0123456789") == std::string_view::npos ? "delivery_id" : "id";
}

json_object of_consumer(std::string_view consumer) {
    return json_object().add("consumer", consumer);
}

}  // namespace

listing consumers(pg::connection& session, std::string_view consumer, const read_access& access,
                  const page_request& page) {
    return view_page(session,
                     {.view = "consumers",
                      .filter = of_consumer(consumer),
                      .hidden = access.workspace ? "{open_leases,leased,pending,failed,behind_"
                                                   "since,paused_by,paused_reason,paused_at}"
                                                 : "{}"},
                     page);
}

listing handlers(pg::connection& session, std::string_view consumer, std::string_view handler,
                 const read_access& access, const page_request& page) {
    return view_page(
        session,
        {.view = "handlers",
         .filter = of_consumer(consumer).add("handler", handler),
         .hidden = access.workspace ? "{pending,failed,next_due_at,mode_by,mode_reason}" : "{}",
         .viewer = !access.error_texts || access.workspace},
        page);
}

listing leases(pg::connection& session, std::string_view consumer, const read_access& access,
               const page_request& page) {
    return view_page(
        session,
        {.view = "leases", .filter = of_consumer(consumer), .ids_as_text = access.ids_as_text},
        page);
}

listing workers(pg::connection& session, std::string_view consumer, bool all,
                const read_access& access, const page_request& page) {
    auto filter = of_consumer(consumer);
    if (!all) {
        filter.add("alive", true);
    }
    return view_page(
        session, {.view = "workers", .filter = filter, .ids_as_text = access.ids_as_text}, page);
}

listing alerts(pg::connection& session, bool unsent, const read_access& access,
               const page_request& page) {
    return view_page(session,
                     {.view = unsent ? "unsent_alerts" : "alerts",
                      .viewer = !access.error_texts,
                      .ids_as_text = access.ids_as_text},
                     page);
}

listing audits(pg::connection& session, std::string_view actor, std::string_view action,
               const read_access& access, const page_request& page) {
    return view_page(session,
                     {.view = "audits",
                      .filter = json_object().add("actor", actor).add("action", action),
                      .viewer = !access.before_and_after,
                      .ids_as_text = access.ids_as_text},
                     page);
}

listing replays(pg::connection& session, which_replays which, const read_access& access,
                const page_request& page) {
    json_object filter;
    filter.add("workspace", access.workspace);
    if (which == which_replays::active) {
        filter.add("active", true);
    } else if (which == which_replays::proposed) {
        filter.add("phase", "proposed");
    }
    return view_page(
        session, {.view = "replays", .filter = filter, .ids_as_text = access.ids_as_text}, page);
}

listing replay(pg::connection& session, std::int64_t replay, const read_access& access) {
    return view_page(
        session,
        {.view = "replays",
         .filter = json_object().add("replay", replay).add("workspace", access.workspace)},
        {});
}

listing replay_items(pg::connection& session, std::int64_t replay, std::string_view outcome,
                     const read_access& access, const page_request& page) {
    return view_page(session,
                     {.view = "replay_items",
                      .filter = json_object().add("replay", replay).add("outcome", outcome),
                      .ids_as_text = access.ids_as_text},
                     page);
}

listing blocked_keys(pg::connection& session, std::string_view consumer, const read_access& access,
                     const page_request& page) {
    return view_page(session,
                     {.view = "blocked_keys",
                      .filter = of_consumer(consumer),
                      .ids_as_text = access.ids_as_text},
                     page);
}

listing unique_keys(pg::connection& session, const read_access& access, const page_request& page) {
    return view_page(session,
                     {.view = "unique_keys", .hidden = "{seq}", .ids_as_text = access.ids_as_text},
                     page);
}

listing limits(pg::connection& session, std::string_view consumer, const page_request& page) {
    return view_page(session, {.view = "limits", .filter = of_consumer(consumer)}, page);
}

listing brokers(pg::connection& session, std::string_view consumer, const read_access& access,
                const page_request& page) {
    return view_page(
        session,
        {.view = "brokers", .filter = of_consumer(consumer), .viewer = !access.error_texts}, page);
}

listing schedules(pg::connection& session, const read_access& access, const page_request& page) {
    return view_page(session,
                     {.view = "schedules",
                      .filter = json_object().add("workspace_id", access.workspace),
                      .hidden = "{message}",
                      .viewer = !access.error_texts},
                     page);
}

listing schedule(pg::connection& session, std::string_view name) {
    return view_page(session, {.view = "schedules", .filter = json_object().add("schedule", name)},
                     {});
}

listing tokens(pg::connection& session, bool all) {
    json_object filter;
    if (!all) {
        filter.add("in_use", true);
    }
    return view_page(session, {.view = "tokens", .filter = filter}, {});
}

listing settings(pg::connection& session) { return view_page(session, {.view = "setting"}, {}); }

listing dead_letter_groups(pg::connection& session, std::string_view consumer,
                           std::string_view handler, int limit) {
    return view_page(
        session,
        {.view = "dead_letter_groups", .filter = of_consumer(consumer).add("handler", handler)},
        {.limit = limit});
}

listing attempts(pg::connection& session, std::string_view id, const read_access& access) {
    return view_page(
        session,
        {.view = "attempts",
         .filter = json_object().add(id_column(id), id).add("workspace_id", access.workspace),
         .viewer = !access.error_texts,
         .ids_as_text = access.ids_as_text},
        {});
}

listing deliveries_of(pg::connection& session, std::string_view id) {
    return view_page(session,
                     {.view = "outbox",
                      .filter = json_object().add(id_column(id), id),
                      .hidden = "{payload,headers,metadata,failure_history,last_error}"},
                     {});
}

listing progress_of(pg::connection& session, std::string_view id) {
    return view_page(
        session, {.view = "progress", .filter = json_object().add("id", id), .hidden = "{id}"}, {});
}

listing job_sets(pg::connection& session, std::string_view name, const read_access& access,
                 const page_request& page) {
    return view_page(session,
                     {.view = "job_sets",
                      .filter = json_object().add("name", name),
                      .hidden = "{message}",
                      .viewer = !access.error_texts,
                      .ids_as_text = access.ids_as_text},
                     page);
}

}  // namespace postrider::store
