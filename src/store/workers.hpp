#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "pg/connection.hpp"

namespace postrider::store {

struct handler_registration {
    std::string name;                      ///< with its scope: billing.send_invoice
    std::vector<std::string> event_types;  ///< 'user.created', 'user.*' or '*'
    // What is left out comes from the table setting.
    std::optional<std::string> retry = {};  ///< sql/functions/settle/delay.sql
    std::optional<int> max_attempts = {};
    std::optional<int> crashes_max = {};
    std::vector<std::string> terminal_classes = {};  ///< sql/functions/settle/classify.sql
    std::vector<std::string> transient_classes = {};
    bool honour_terminal = true;
    std::optional<std::string> circuit = {};  ///< sql/functions/circuit/internal/circuit_report.sql
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
    bool from_beginning = false;  ///< a new consumer is owed everything the log still holds
};

/// Throws deployment_mismatch when the database belongs to another one; an empty name expects none.
void require_deployment(pg::connection& session, const std::string& name);
/// How the server differs from the one its deployment was recorded on: a copy of it. Else empty.
std::string displaced(pg::connection& session);

/// Makes a worker, its consumer and its handlers known; gives the consumer's id.
int register_worker(pg::connection& session, const worker_registration& registration);
void unregister_worker(pg::connection& session, const uuid& worker);

/// Says that the worker is alive; gives those of its leases that are lost.
std::vector<std::int64_t> heartbeat(pg::connection& session, const uuid& worker,
                                    std::span<const std::int64_t> leases = {});

/// Whether another live worker could run the messages of this one.
bool has_peer(pg::connection& session, const uuid& worker);

/// Handlers of the worker whose event types another worker has changed since it registered; each is
/// told once.
std::vector<std::string> changed_handlers(pg::connection& session, const uuid& worker);

struct given_back {
    int leases;
    int deliveries;
};

/// After a lost connection: gives back what the worker holds besides these, which can only be a
/// claim whose answer was lost.
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

/// Enters an effect into the inbox, in the session's transaction; false: it happened before.
bool handle_once(pg::connection& session, const inbox_key& what);

}  // namespace postrider::store
