#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/encoding/uuid.hpp"
#include "pg/connection.hpp"

namespace postrider::store {

struct handler_registration {
    std::string name;                      ///< with its scope: billing.send_invoice
    std::vector<std::string> event_types;  ///< 'user.created', 'user.*' or '*'
    // Defaults come from the table setting.
    std::optional<std::string> retry = {};  ///< sql/functions/settle/delay.sql
    std::optional<int> max_attempts = {};
    std::optional<int> max_crashes = {};
    std::vector<std::string> terminal_classes = {};  ///< sql/functions/settle/classify.sql
    std::vector<std::string> transient_classes = {};
    std::vector<std::string> outage_classes = {};  ///< sql/functions/settle/internal/decide.sql
    bool honour_terminal = true;
    std::optional<std::string> circuit = {};  ///< sql/functions/circuit/internal/circuit_report.sql
    std::optional<std::string> broker = {};   ///< sql/functions/workers/register_worker.sql
    std::optional<std::string> limit = {};    ///< sql/functions/limits/set_limit.sql
};

struct worker_registration {
    uuid worker;  ///< random, one per process
    std::string consumer;
    std::vector<handler_registration> handlers;
    std::string channel = "outbox_default";
    std::optional<std::int64_t> generation = {};
    std::chrono::milliseconds alive_for = std::chrono::seconds(30);
    std::string host = {};
    std::string version = {};
    bool from_beginning = false;  ///< a new consumer starts with the oldest message in the log
    std::optional<std::string> ordering = {};  ///< sql/functions/ordering/internal/set_ordering.sql
    std::optional<int> threads = {};           ///< runs at once; unset: as many as it has messages
};

/// Throws deployment_mismatch when the database belongs to another deployment; an empty name skips
/// the check.
void require_deployment(pg::connection& session, const std::string& name);
/// How the server differs from the one recorded for its deployment: it is a copy. Otherwise empty.
std::string server_mismatch(pg::connection& session);

/// Registers a worker, its consumer and its handlers; returns the consumer's id.
int register_worker(pg::connection& session, const worker_registration& registration);
void unregister_worker(pg::connection& session, const uuid& worker);

/// Sends a heartbeat; returns the leases that the worker has lost.
std::vector<std::int64_t> heartbeat(pg::connection& session, const uuid& worker,
                                    std::span<const std::int64_t> leases = {});

/// Adds runs to the history of their handlers; see sql/functions/history/record_runs.sql. Returns
/// the clock of the database.
std::chrono::system_clock::time_point record_runs(pg::connection& session, const uuid& worker,
                                                  const std::string& runs);

/// Whether another running worker has the same handlers.
bool has_peer(pg::connection& session, const uuid& worker);

/// Handlers of the worker whose event types another worker has changed since it registered; each is
/// returned once.
std::vector<std::string> changed_handlers(pg::connection& session, const uuid& worker);
/// How often a worker may run a message of a lease again at once; see
/// sql/functions/settle/immediate_retries.sql.
struct immediate_retry_grant {
    std::string handler;
    int retries;   ///< per lease
    int failures;  ///< in a row, that open the handler's circuit; 0: none do
};
std::vector<immediate_retry_grant> immediate_retries(pg::connection& session, const uuid& worker);
/// Messages that were cancelled while the worker had them, each once.
std::vector<uuid> cancelled_jobs(pg::connection& session, const uuid& worker);

struct given_back {
    int leases;
    int deliveries;
};

/// After a reconnect: releases all leases and deliveries of the worker except these. The released
/// ones come from a claim whose reply was lost.
given_back resume_worker(pg::connection& session, const uuid& worker,
                         std::span<const std::int64_t> leases,
                         std::span<const std::int64_t> deliveries);

/// Identifies one effect of a handler: a repetition has the same four values.
struct inbox_key {
    std::string_view consumer;  ///< its name
    std::string_view handler;
    std::string_view source;
    std::string_view idempotency_key;
};

/// Records an effect in the inbox, in the session's transaction; false: it was recorded before.
bool handle_once(pg::connection& session, const inbox_key& key);

}  // namespace postrider::store
