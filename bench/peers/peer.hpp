#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/lab/child.hpp"
#include "bench/lab/lab.hpp"

namespace postrider::bench {

/// One way of draining: how many messages at once, and how many connections (of a program of its
/// own: how many handlers) at once.
struct drain_shape {
    int batch;
    int connections;
};

/// A queue in PostgreSQL to compare with, in the fastest safe configuration of its documentation.
class peer {
  public:
    peer() = default;
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;
    virtual ~peer() = default;

    virtual std::string name() const = 0;
    /// The measured configuration, for readers: version, client, settings.
    virtual std::string configuration() const = 0;
    /// Why it cannot be measured here; empty when it can.
    virtual std::string missing() const { return {}; }
    /// Puts it into a database, with one queue and a consumer of it.
    virtual void install(const fresh_database& database) const = 0;

    /// Publishes one message; $1 is its payload.
    virtual std::string publish_statement() const = 0;
    /// Publishes payload(first) … in one transaction, in the fastest way it has.
    virtual void publish_many(pg::connection& session, std::int64_t first, int count) const = 0;
    /// Makes messages published in bulk visible to consumers.
    virtual void after_publishing(pg::connection&) const {}
    /// Run once, before the latency of single messages is measured.
    virtual void wake_consumers(pg::connection&) const {}
    /// Statement that runs in the transaction of every published message while latency is measured;
    /// may be empty.
    virtual std::string wake_statement() const { return {}; }
    /// Whether a ticker has to cut the messages into batches.
    virtual bool needs_ticks() const { return false; }

    virtual drain_shape drains(int batch) const { return {batch, 1}; }
    virtual drain_shape best() const { return {1000, 1}; }
    /// Its configuration for measuring the latency of single messages.
    virtual drain_shape waits() const { return {100, 1}; }
    /// Its consumer as a process of its own, with the protocol of bench/engine/consume.hpp.
    virtual std::vector<std::string> consumer(const std::string& mode, drain_shape shape,
                                              std::int64_t count) const;
    /// Whether the measure "published with a consumer attached" makes sense.
    virtual bool publishes_with_consumer() const { return false; }
};

/// In the order of the report. `programs` is where the peers from npm are installed.
std::vector<std::unique_ptr<peer>> all_peers(const std::filesystem::path& programs);

/// An array of texts as PostgreSQL reads it.
std::string array_literal(const std::vector<std::string>& texts);
/// payload(first), payload(first + 1), …
std::vector<std::string> payloads(std::int64_t first, int count);

/// The Node.js that runs the peers from npm; empty when it is not installed.
std::filesystem::path node_program(const std::filesystem::path& programs);

std::unique_ptr<peer> make_postrider();
std::unique_ptr<peer> make_postrider_worker();
std::unique_ptr<peer> make_classic();
std::unique_ptr<peer> make_pgmq(const std::filesystem::path& programs);
std::unique_ptr<peer> make_pgq();
std::unique_ptr<peer> make_graphile_worker(const std::filesystem::path& programs);
std::unique_ptr<peer> make_pg_boss(const std::filesystem::path& programs);

}  // namespace postrider::bench
