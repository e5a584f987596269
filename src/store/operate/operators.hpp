#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

/// A consumer on a channel.
struct consumer_name {
    std::string consumer;
    std::string channel = "outbox_default";
};

void pause_consumer(pg::connection& session, const consumer_name& which, bool paused,
                    const audit_entry& why);
/// Pending deliveries and dead letters that were removed with a consumer.
struct removed_consumer {
    std::int64_t pending = 0;
    std::int64_t failed = 0;
};
/// owed: remove it even if it has unhandled messages or deliveries.
removed_consumer remove_consumer(pg::connection& session, const consumer_name& which, bool owed,
                                 const audit_entry& why);
/// Messages that a consumer skips, those of them that wait, and those it gets again.
struct sought {
    std::int64_t skipped = 0;
    std::int64_t waiting = 0;
    std::int64_t again = 0;
};
/// Moves a consumer to an instant; empty: to now.
sought seek_consumer(pg::connection& session, const consumer_name& which,
                     const std::optional<std::string>& to, bool dry_run, const audit_entry& why);
/// The number of messages that may wait for one ordering key before an alert is raised; empty: as
/// the setting followers_alert says.
void set_followers_alert(pg::connection& session, const consumer_name& which,
                         std::optional<int> followers, const audit_entry& why);
/// Changes the owner of the consumers of a name, on every channel, to another database role.
void transfer_consumer(pg::connection& session, std::string_view consumer, std::string_view role,
                       const audit_entry& why);
void hold_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                  const audit_entry& why);
void release_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                     const audit_entry& why);
void force_handler(pg::connection& session, const consumer_name& which, std::string_view handler,
                   const audit_entry& why);

/// One slice of retention; lists its actions, or with dry_run the planned ones.
listing retention_run(pg::connection& session, int limit, bool dry_run);
listing retention_status(pg::connection& session);

/// Whether the session's role is a member of postrider_operator or postrider_owner.
bool is_operator(pg::connection& session);

/// Totals, in one row.
listing stats(pg::connection& session);

// The tables of `postrider top`, the views of these names.
listing top_totals(pg::connection& session);
listing top_consumers(pg::connection& session);
listing top_handlers(pg::connection& session, int limit);
listing top_workers(pg::connection& session, int limit);
listing top_replays(pg::connection& session, int limit);

}  // namespace postrider::store
