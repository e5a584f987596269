#include "store/operate/dead_letters.hpp"

#include <postrider/error.hpp>

#include "base/json/json.hpp"

namespace postrider::store {

listing dead_page(pg::connection& session, const dead_filter& filter, const page_request& page,
                  const read_access& access, bool bounded) {
    // Rows scanned per request: some tens of milliseconds.
    constexpr int reach = 20000;
    pg::params values(filter, page.rows(), page.after);
    values.add(bounded ? std::optional(reach) : std::nullopt)
        .add(access.error_length())
        .add(access.ids_as_text);
    return listing(
        session.exec_params("select * from postrider.dead_rows($1, $2, $3, $4, $5, $6)", values),
        page.limit);
}

listing discarded_page(pg::connection& session, const dead_filter& filter, const page_request& page,
                       const read_access& access) {
    pg::params values(filter, page.rows(), page.after);
    values.add(access.error_length()).add(access.ids_as_text);
    return listing(
        session.exec_params("select * from postrider.discarded_rows($1, $2, $3, $4, $5)", values),
        page.limit);
}

std::string dead_place(std::string_view dead_at, std::int64_t delivery) {
    return json_object().add("dead_at", dead_at).add("delivery_id", delivery).text();
}

listing dead_letters(pg::connection& session, std::string_view id) {
    return listing(
        session.exec_params("select * from postrider.dead_letter_shown($1)", pg::params(id)));
}

listing dead_letter_details(pg::connection& session, std::string_view id) {
    return listing(
        session.exec_params("select * from postrider.dead_letter_shown($1, p_hidden => $2)",
                            pg::params(id, "{payload,headers,metadata}")));
}

listing cycles_of(pg::connection& session, std::string_view delivery) {
    return list(session, "cycles_of($1)", pg::params(delivery));
}

int discard(pg::connection& session, const dead_filter& filter, const audit_entry& why,
            expected_count expected) {
    return session
        .exec_params("select postrider.discard($1, $2, $3, $4)",
                     pg::params(filter, why.actor, why.reason, expected))
        .get<int>(0, 0);
}

int restore(pg::connection& session, const dead_filter& filter, const audit_entry& why,
            expected_count expected) {
    return session
        .exec_params("select postrider.restore($1, $2, $3, $4)",
                     pg::params(filter, why.actor, why.reason, expected))
        .get<int>(0, 0);
}

std::string edit_with(pg::connection& session, std::int64_t delivery, std::string_view change,
                      const audit_entry& why) {
    return session
        .exec_params("select postrider.edit_with($1, $2, $3, $4)",
                     pg::params(delivery, change, why.actor, why.reason))
        .get<std::string>(0, 0);
}

std::string instant_ago(pg::connection& session, std::string_view text) {
    try {
        return session.exec_params("select postrider.instant_ago($1)", pg::params(text))
            .get<std::string>(0, 0);
    } catch (const error& problem) {
        if (!problem.sqlstate().starts_with("22")) {
            throw;
        }
        throw usage_error("'" + std::string(text) +
                          "' is not a time: use an instant like 2026-03-01T12:00Z, or an age "
                          "like 90m, 2h or 3d");
    }
}

}  // namespace postrider::store
