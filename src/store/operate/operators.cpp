#include "store/operate/operators.hpp"

namespace postrider::store {

void pause_consumer(pg::connection& session, const consumer_name& which, bool paused,
                    const audit_entry& why) {
    session.exec_params("select postrider.pause_consumer($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, paused, which.channel, why.actor, why.reason));
}

removed_consumer remove_consumer(pg::connection& session, const consumer_name& which, bool owed,
                                 const audit_entry& why) {
    const auto went = session.exec_params(
        "select pending, failed from postrider.remove_consumer($1, $2, $3, $4, $5)",
        pg::params(which.consumer, why.actor, why.reason, which.channel, owed));
    return {went.get<std::int64_t>(0, 0), went.get<std::int64_t>(0, 1)};
}

sought seek_consumer(pg::connection& session, const consumer_name& which,
                     const std::optional<std::string>& to, bool dry_run, const audit_entry& why) {
    pg::params values(which.consumer);
    values.add(to).add(why.actor).add(why.reason).add(which.channel).add(dry_run);
    const auto found = session.exec_params(
        "select skipped, waiting, again from postrider.seek_consumer($1, $2, $3, $4, $5, $6)",
        values);
    return {found.get<std::int64_t>(0, 0), found.get<std::int64_t>(0, 1),
            found.get<std::int64_t>(0, 2)};
}

void set_followers_alert(pg::connection& session, const consumer_name& which,
                         std::optional<int> followers, const audit_entry& why) {
    session.exec_params(
        "select postrider.set_followers_alert($1, $2, $3, $4, $5)",
        pg::params(which.consumer, followers, why.actor, why.reason, which.channel));
}

void transfer_consumer(pg::connection& session, std::string_view consumer, std::string_view role,
                       const audit_entry& why) {
    session.exec_params("select postrider.transfer_consumer($1, $2, $3, $4)",
                        pg::params(consumer, role, why.actor, why.reason));
}

void hold_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                  const audit_entry& why) {
    session.exec_params("select postrider.hold_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

void release_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                     const audit_entry& why) {
    session.exec_params("select postrider.release_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

void force_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                   const audit_entry& why) {
    session.exec_params("select postrider.force_handler($1, $2, $3, $4, $5)",
                        pg::params(which.consumer, handler, why.actor, why.reason, which.channel));
}

listing retention_run(pg::connection& session, int limit, bool dry_run) {
    return list(session, "retention_run($1, $2)", pg::params(limit, dry_run));
}

listing retention_status(pg::connection& session) { return list(session, "retention_status()"); }

bool is_operator(pg::connection& session) {
    return session
        .exec(
            "select exists (select from pg_catalog.pg_roles"
            " where rolname in ('postrider_operator', 'postrider_owner')"
            " and pg_catalog.pg_has_role(oid, 'usage'))")
        .get<bool>(0, 0);
}

listing stats(pg::connection& session) { return list(session, "stats"); }

listing top_totals(pg::connection& session) { return list(session, "top_totals"); }

listing top_consumers(pg::connection& session) { return list(session, "top_consumers"); }

listing top_handlers(pg::connection& session, int limit) {
    return list(session, "top_handlers", limit);
}

listing top_workers(pg::connection& session, int limit) {
    return list(session, "top_workers", limit);
}

listing top_replays(pg::connection& session, int limit) {
    return list(session, "top_replays", limit);
}

}  // namespace postrider::store
