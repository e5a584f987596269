#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/lab/progress.hpp"
#include "store/messages/copy_messages.hpp"
#include "store/messages/new_message.hpp"
#include "store/work/exchange.hpp"

namespace postrider::bench {

using seconds = std::chrono::duration<double>;

/// Messages of a claim: of a consumer with a backlog, and of one that has caught up.
inline constexpr int large_batch = 1000;
inline constexpr int small_batch = 10;

/// The time since it was made.
class stopwatch {
  public:
    double elapsed() const { return seconds(std::chrono::steady_clock::now() - start_).count(); }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// By the wall clock, which the server on this machine reads as well.
double seconds_since_1970();

/// About 200 bytes of JSON, different for each number.
std::string payload(std::int64_t number);

/// The default values of messages.
inline constexpr store::new_message usual_envelope{.event_type = "order.placed", .source = "bench"};

/// Messages to publish together, with the payloads they point to.
class message_batch {
  public:
    message_batch(std::int64_t first, int count,
                  const store::new_message& envelope = usual_envelope);
    const std::vector<store::new_message>& messages() const { return messages_; }

  private:
    std::vector<std::string> payloads_;
    std::vector<store::new_message> messages_;
};

/// Loads the same rows into each table by COPY.
void fill(const fresh_database& database, std::initializer_list<const char*> tables,
          std::int64_t rows, const store::new_message& envelope = usual_envelope);
void copy_into(pg::connection& session, const std::string& table, const store::copy_data& data);
/// Replaces the domains of a table that was created like the log, and has no partitions yet, by
/// their base types: without their checks, that is without limits and doorbell. With a name, only
/// in that column.
void take_anything(pg::connection& session, const std::string& table,
                   const std::string& column = "");

/// Times of one publication.
struct published {
    std::chrono::steady_clock::time_point commit_sent;
    std::chrono::steady_clock::time_point committed;
};
/// Publishes one message per transaction, 200 a second. The version of an event is its number.
std::vector<published> publish_steadily(pg::connection& session, std::size_t count);

/// The first column of the only row.
std::int64_t number(pg::connection& session, const std::string& sql);
/// Bytes of WAL that the server has written since its creation.
std::int64_t wal_position(pg::connection& session);

/// One worker of the consumer `bench`, which takes every type, on a session of its own.
class bench_worker {
  public:
    explicit bench_worker(pg::connection session);

    /// Settles the messages it holds and claims the next.
    const store::claimed_batch& exchange(int limit, std::span<const store::failure> failures = {});
    /// Claims without settling, for the caller to keep.
    store::claimed_batch claim(int limit) {
        return store::exchange(session_, {.worker = id_, .limit = limit});
    }
    /// Settles and claims until no message is left, with two exchanges under way at any time, so
    /// that the server need not wait for the client. `taken` is called with the number of messages
    /// of each claim.
    void drain(int limit, const std::function<void(int)>& taken);
    pg::connection& session() { return session_; }

  private:
    pg::connection session_;
    uuid id_ = uuid::random();
    store::claimed_batch batch_;
};

}  // namespace postrider::bench
