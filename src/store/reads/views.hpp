#pragma once

#include <cstdint>
#include <string_view>

#include "store/reads/listing.hpp"

// Lists of the views of these names, for the command line, the HTTP API and the MCP server. Empty
// text means any.
namespace postrider::store {

listing consumers(pg::connection& session, std::string_view consumer,
                  const read_access& access = {}, const page_request& page = {});
listing handlers(pg::connection& session, std::string_view consumer, std::string_view handler,
                 const read_access& access = {}, const page_request& page = {});
listing leases(pg::connection& session, std::string_view consumer, const read_access& access = {},
               const page_request& page = {});
/// all: also workers that are not running.
listing workers(pg::connection& session, std::string_view consumer, bool all,
                const read_access& access = {}, const page_request& page = {});
/// Newest first. unsent: only alerts that are not sent to every target.
listing alerts(pg::connection& session, bool unsent, const read_access& access,
               const page_request& page);
/// Newest first.
listing audits(pg::connection& session, std::string_view actor, std::string_view action,
               const read_access& access, const page_request& page);

/// active: only replays that have not ended: proposed, running or paused.
enum class which_replays { all, active, proposed };
/// Newest first.
listing replays(pg::connection& session, which_replays which, const read_access& access,
                const page_request& page);
listing replay(pg::connection& session, std::int64_t replay, const read_access& access = {});
/// The items of a replay in order.
listing replay_items(pg::connection& session, std::int64_t replay, std::string_view outcome,
                     const read_access& access, const page_request& page);

/// The ordering keys that messages wait for, with the head of each.
listing blocked_keys(pg::connection& session, std::string_view consumer,
                     const read_access& access = {}, const page_request& page = {});

/// The unique keys that are held, those of the newest jobs first.
listing unique_keys(pg::connection& session, const read_access& access = {},
                    const page_request& page = {});

/// The limits of handlers, and the messages that they throttle.
listing limits(pg::connection& session, std::string_view consumer, const page_request& page = {});

/// The handlers that publish to a broker or receive from one.
listing brokers(pg::connection& session, std::string_view consumer, const read_access& access = {},
                const page_request& page = {});

/// Without their messages, which hold payloads.
listing schedules(pg::connection& session, const read_access& access = {},
                  const page_request& page = {});
/// One schedule with its message; empty when there is none of this name.
listing schedule(pg::connection& session, std::string_view name);

/// all: also tokens that are revoked or expired.
listing tokens(pg::connection& session, bool all);
listing settings(pg::connection& session);
/// Groups of dead letters with the same fingerprint, largest first.
listing dead_letter_groups(pg::connection& session, std::string_view consumer,
                           std::string_view handler, int limit);
/// The failed runs of a delivery (a number) or of all deliveries of a message (a UUID), oldest
/// first.
listing attempts(pg::connection& session, std::string_view id, const read_access& access = {});
/// The state of a message per handler, or of one delivery.
listing deliveries_of(pg::connection& session, std::string_view id);
/// Progress and results that handlers recorded for a message: the columns that the session may
/// read.
listing progress_of(pg::connection& session, std::string_view id);
/// The newest sets of jobs, without their messages; of this name unless it is empty.
listing job_sets(pg::connection& session, std::string_view name, const read_access& access,
                 const page_request& page);

}  // namespace postrider::store
