#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pg/connection.hpp"
#include "store/messages/envelope.hpp"
#include "store/work/outcome.hpp"

namespace postrider::store {

/// A message of a lease.
class claimed_message : public envelope {
  public:
    explicit claimed_message(record_reader fields)
        : claimed_message(read_integer(fields.next()), fields) {}
    std::int64_t seq() const { return seq_; }
    /// The message's own; empty: the handler's.
    std::optional<int> max_attempts() const {
        return max_attempts_.data() == nullptr
                   ? std::nullopt
                   : std::optional(static_cast<int>(read_integer(max_attempts_)));
    }

  private:
    claimed_message(std::int64_t seq, record_reader& others)
        : envelope(others),
          seq_(seq),
          max_attempts_(others.fields() == message_fields ? others.next() : std::string_view()) {}

    std::int64_t seq_;
    std::string_view max_attempts_;
};

/// claimed_batch::parked(): messages wait for a limit of their handler, and none of them can start.
inline constexpr int throttled = -2;

/// The messages of one new lease, in log order, and the result of the lease settled with it.
class claimed_batch {
  public:
    claimed_batch() = default;
    /// The binary result of the exchange statement.
    explicit claimed_batch(pg::result answer);

    int size() const { return static_cast<int>(messages_.size()); }
    bool empty() const { return messages_.empty(); }
    claimed_message operator[](int index) const {
        return claimed_message(record_reader(messages_[static_cast<std::size_t>(index)]));
    }
    /// Empty when no message was claimed.
    const std::optional<lease_ref>& lease() const { return lease_; }
    /// Throws when the batch is empty.
    const lease_ref& held_lease() const;
    /// Empty when there was no lease to settle.
    const std::optional<settlement>& settled() const { return settled_; }
    /// Number of messages that were found and have to wait; -1 when the claim stopped early while
    /// skipping messages of other consumers, or when more may be due. If it is not 0, an empty
    /// batch does not mean that no message is left: claim again, unless it is `throttled`.
    int parked() const { return parked_; }

  private:
    pg::result answer_;
    std::vector<std::string_view> messages_;  // within answer_
    int parked_ = 0;
    std::optional<lease_ref> lease_;
    std::optional<settlement> settled_;
};

/// A consumer reads two streams of messages: the log in its order, and messages that wait for their
/// time or by their priority. Leases of one stream are settled with claims from that stream.
enum class stream { log, waiting };

struct exchange_request {
    uuid worker;
    int limit;  ///< 0 settles only
    stream from = stream::log;
    std::optional<lease_ref> lease = {};
    /// Sequence numbers of delivered messages; none means all except those in `failures`.
    std::optional<std::span<const std::int64_t>> delivered = {};
    std::span<const failure> failures = {};
    std::optional<std::chrono::milliseconds> deadline = {};  ///< default: the consumer's
    /// For messages that wait: the log has none, so those of a priority below 0 have their turn.
    bool log_is_empty = true;
    /// The consumer is ordered; prepare_exchange() was called with `ordered`.
    bool ordered = false;
    /// How many messages of an ordering key the lease may hold. The worker begins each of them when
    /// the one before was delivered.
    int chain = 1;
};

/// Whether the server has native claims and the session may execute them.
bool claims_natively(pg::connection& session);

/// Call once per session, before the first exchange(), and again after a reconnect. exchange() sets
/// planner options of the session, so the session should be used for Postrider only.
/// `ordered`: claims from the log are those of an ordered consumer.
void prepare_exchange(pg::connection& session, bool ordered = false);
const char* exchange_statement(stream from);
pg::params exchange_params(const exchange_request& request);

/// Settles a lease and claims the next messages in one round trip: the hot path.
claimed_batch exchange(pg::connection& session, const exchange_request& request);

/// Claims the next messages; empty when none is available.
claimed_batch claim(pg::connection& session, const uuid& worker, int limit,
                    std::optional<std::chrono::milliseconds> deadline = {});

}  // namespace postrider::store
