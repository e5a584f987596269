#pragma once

#include <chrono>
#include <cstdint>
#include <postrider/executor.hpp>
#include <postrider/export.hpp>
#include <postrider/message.hpp>
#include <span>
#include <string>
#include <vector>

namespace postrider {

/// Publishes in the caller's own transaction: nothing is visible before the caller commits, and
/// a rollback undoes it. Returns the message's id. Names, sizes and ids are checked
/// before the server sees anything (usage_error).
POSTRIDER_EXPORT std::string publish(executor& within, const message& input);
/// Publishes on the caller's libpq connection, in its open transaction. Outside a transaction the
/// call commits by itself, and throws commit_unknown_error if the connection is lost before the
/// server answers.
POSTRIDER_EXPORT std::string publish(pg_conn* within, const message& input);

/// Publishes any number of messages, all or none; returns their number. Uses COPY, the fastest way
/// to publish, if the executor has a libpq connection.
POSTRIDER_EXPORT std::int64_t publish_many(executor& within, std::span<const message> messages);
POSTRIDER_EXPORT std::int64_t publish_many(pg_conn* within, std::span<const message> messages);

/// How long a unique job holds its key.
enum class unique_scope {
    until_started,   ///< until a worker claims it for the first time
    until_finished,  ///< until it is delivered, dead, cancelled or discarded; retries included
    period,          ///< for a fixed time, regardless of the job's outcome
    /// Until it is started; and it is not started while another job with the key runs. So at most
    /// one job runs and one waits, and after each publication there is a run that begins later.
    serial,
};

/// The key of a unique job. It belongs to the consumer that the message has as its target, and to
/// the one handler that takes its event type there.
struct unique_key {
    std::string key = {};  ///< 1 to 255 bytes, for example "reindex:42"; compared byte by byte
    unique_scope scope = unique_scope::until_finished;
    std::chrono::milliseconds period = {};  ///< for unique_scope::period only
};

/// The result of publish_unique().
struct unique_result {
    std::string id = {};     ///< of the message that was published, or of the job with the key
    bool duplicate = false;  ///< another job holds the key; no message was published
};

/// Publishes a job in the caller's own transaction, unless another job holds its key. If another
/// open transaction has published the key, the call waits for its end, at most for the setting
/// unique_wait (5 s). It throws an error that is retryable() when that time is over, in a deadlock,
/// and outside READ COMMITTED when the key was taken after the transaction's snapshot: roll back
/// and begin again.
///
///   publish_unique(tx, {.event_type = "search.reindex", .target = "search"}, {.key = "page:42"});
POSTRIDER_EXPORT unique_result publish_unique(executor& within, const message& input,
                                              const unique_key& unique);
POSTRIDER_EXPORT unique_result publish_unique(pg_conn* within, const message& input,
                                              const unique_key& unique);

/// How a dead member counts for its set.
enum class dead_member {
    ends,   ///< as ended
    blocks  ///< as not ended, until its replay is delivered or it is discarded
};

/// Jobs after which a message is published, when all of them have ended: delivered, dead, cancelled
/// or discarded.
struct job_set {
    std::string name =
        {};  ///< 1 to 127 letters, digits, '_', '-', '.' and ':'; unique among open sets
    /// Published exactly once, by the transaction that ends the last member. It must not have an
    /// id. Its headers get `set`, `members` and `failed`: the number of members that died, were
    /// cancelled or lost with their consumer.
    message completed = {};
    dead_member dead = dead_member::ends;
};

/// Publishes the members of a set in the caller's own transaction, whose commit closes the set.
/// Each member needs a target, which must be an existing consumer. Returns the ids of the members.
///
///   publish_set(tx, {.name = "import:42", .completed = {.event_type = "import.done"}}, rows);
POSTRIDER_EXPORT std::vector<std::string> publish_set(executor& within, const job_set& set,
                                                      std::span<const message> members);
POSTRIDER_EXPORT std::vector<std::string> publish_set(pg_conn* within, const job_set& set,
                                                      std::span<const message> members);

}  // namespace postrider
