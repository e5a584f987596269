#include "store/reads/surface.hpp"

#include <postrider/error.hpp>

#include "store/reads/views.hpp"

namespace postrider::store {
namespace {

// Rows scanned per request by a search without an index: some tens of milliseconds.
constexpr int preview_reach = 10000;
constexpr int messages_reach = 50000;
// Others with the fingerprint of a dead letter, and itself.
constexpr int similar_max = 10001;

[[noreturn]] void not_found(const std::string& subject) {
    throw error(errc::message_not_found, "not found: " + subject);
}

}  // namespace

listing dead_groups(pg::connection& session, std::string_view consumer, std::string_view handler,
                    const read_access& access, const page_request& page) {
    pg::params values(consumer, handler, access.workspace, page.rows(), page.after);
    values.add(access.error_length());
    return listing(
        session.exec_params("select * from postrider.group_rows($1, $2, $3, $4, $5, $6)", values),
        page.limit);
}

listing messages(pg::connection& session, const std::string& filter, const page_request& page) {
    return listing(session.exec_params("select * from postrider.message_rows($1, $2, $3, $4)",
                                       pg::params(filter, page.rows(), page.after, messages_reach)),
                   page.limit);
}

listing deliveries(pg::connection& session, std::string_view consumer, std::string_view handler,
                   std::string_view status, const read_access& access, const page_request& page) {
    pg::params values(status, consumer, handler, access.workspace, page.rows(), page.after);
    values.add(access.error_texts);
    return listing(session.exec_params(
                       "select * from postrider.delivery_rows($1, $2, $3, $4, $5, $6, $7)", values),
                   page.limit);
}

listing unmatched(pg::connection& session) { return list(session, "unmatched()"); }

std::string message_json(pg::connection& session, const read_access& access,
                         const std::string& id) {
    const auto found = session.exec_params("select postrider.message_shown($1, $2, $3)",
                                           pg::params(id, access.workspace, access.error_texts));
    if (found.is_null(0, 0)) {
        not_found("message " + id);
    }
    return found.get<std::string>(0, 0);
}

std::string dead_letter_json(pg::connection& session, const read_access& access,
                             std::int64_t delivery) {
    pg::params values(delivery, access.workspace, "{payload,headers,metadata,failure_history}");
    values.add(!access.error_texts).add(access.ids_as_text).add(true).add(similar_max);
    const auto found = session.exec_params(
        "select * from postrider.dead_letter_shown($1, $2, $3, $4, $5, $6, $7)", values);
    if (found.empty()) {
        not_found("dead letter " + std::to_string(delivery) +
                  "; it may have been replayed or discarded meanwhile");
    }
    return found.get<std::string>(0, 0);
}

std::string replay_json(pg::connection& session, const read_access& access, std::int64_t replay) {
    const auto found = session.exec_params("select postrider.replay_shown($1, $2)",
                                           pg::params(replay, access.workspace));
    if (found.is_null(0, 0)) {
        not_found("replay " + std::to_string(replay));
    }
    return found.get<std::string>(0, 0);
}

std::string handler_json(pg::connection& session, const read_access& access,
                         const handler_name& handler, const std::string& span) {
    pg::params values(handler.consumer, handler.channel, handler.handler, span);
    values.add(!access.error_texts);
    const auto found =
        session.exec_params("select postrider.handler_shown($1, $2, $3, $4, $5)", values);
    if (found.is_null(0, 0)) {
        not_found("handler " + handler.handler + " of " + handler.consumer + " on " +
                  handler.channel);
    }
    return found.get<std::string>(0, 0);
}

std::string run_history_json(pg::connection& session, const handler_name& handler,
                             const std::string& span) {
    return session
        .exec_params("select postrider.run_history($1, $2, $3, $4)",
                     pg::params(span, handler.consumer, handler.channel, handler.handler))
        .get<std::string>(0, 0);
}

std::string group_json(pg::connection& session, const read_access& access, const group_name& group,
                       const std::string& span) {
    pg::params values(group.of.consumer, group.of.channel, group.of.handler, group.fingerprint,
                      span);
    values.add(!access.error_texts);
    const auto found =
        session.exec_params("select postrider.group_shown($1, $2, $3, $4, $5, $6)", values);
    if (found.is_null(0, 0)) {
        not_found("dead letters of " + group.of.handler + " with fingerprint " + group.fingerprint +
                  "; they may have been replayed or discarded meanwhile");
    }
    return found.get<std::string>(0, 0);
}

std::string group_fields(pg::connection& session, const group_name& group, const audit_entry& why) {
    pg::params values(group.of.consumer, group.of.channel, group.of.handler, group.fingerprint);
    values.add(why.actor).add(why.reason);
    return session.exec_params("select postrider.group_fields($1, $2, $3, $4, $5, $6)", values)
        .get<std::string>(0, 0);
}

void require_replay(pg::connection& session, const read_access& access, std::int64_t replay) {
    if (store::replay(session, replay, access).empty()) {
        not_found("replay " + std::to_string(replay));
    }
}

std::string preview_json(pg::connection& session, const dead_filter& filter, bool all) {
    return session
        .exec_params("select postrider.preview_shown($1, $2)",
                     pg::params(filter, all ? std::nullopt : std::optional(preview_reach)))
        .get<std::string>(0, 0);
}

std::string reveal(pg::connection& session, const read_access& access,
                   const std::optional<std::string>& message,
                   const std::optional<std::int64_t>& delivery, const audit_entry& why) {
    return session
        .exec_params("select postrider.reveal($1, $2, $3, $4, $5)",
                     pg::params(message, delivery, access.workspace, why.actor, why.reason))
        .get<std::string>(0, 0);
}

}  // namespace postrider::store
