#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace postrider::test {

/// Thrown when the engine differs from the model.
class disagreement : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Messages, consumers, workers and leases are known by their number.
template <typename Items>
auto& nth(Items& items, int number) {
    return items[static_cast<std::size_t>(number)];
}

void require(bool holds, const std::string& otherwise);

enum class availability { unset, past, future };

struct message {
    std::string id;
    std::string channel;
    std::string type;
    std::optional<std::string> target = {};
    availability available = availability::unset;
    int priority = 0;
    std::optional<int> max_attempts = {};
    std::uint64_t xid = 0;
    std::int64_t seq = 0;     ///< learned when it is claimed
    std::int64_t due_at = 0;  ///< in microseconds, learned before a claim of messages that wait
    int age = 0;              ///< seconds for which it has been due when it is published
    int committed_at = std::numeric_limits<int>::max();
    bool in_log = true;  ///< its partition has not been dropped

    /// It is handed out by priority and due time, not by its place in the log.
    bool waits() const { return priority != 0 || available != availability::unset; }
    bool committed() const { return committed_at != std::numeric_limits<int>::max(); }
};

struct handler {
    std::string name;
    std::vector<std::string> patterns;
    int max_attempts = 5;
    int max_crashes = 3;
    bool active = true;

    bool takes(const std::string& type) const;
};

/// Commits are counted. A consumer has passed all messages committed up to `done`, and of those
/// committed up to `open` all up to (xid, number).
struct cursor {
    int done = 0;
    int open = 0;
    std::pair<std::uint64_t, int> at = {0, -1};
};

/// A handler between two changes of its event types.
struct revision {
    handler as;
    cursor starts = {};
    std::optional<cursor> ends = {};
};

struct consumer {
    std::string name;
    std::string channel;
    cursor position = {};
    int noted_until = 0;         ///< the cursor for messages that wait: the last commit it passed
    std::set<int> waiting = {};  ///< messages behind it that were not handed out
    bool paused = false;
    std::vector<handler> handlers = {};
    std::vector<revision> revisions = {};

    handler* find(const std::string& handler_name);
    std::vector<std::string> route(const std::string& type) const;
    bool wants(const message& the_message) const;
};

struct worker {
    std::string id;
    int consumer = 0;
    std::set<std::string> handlers = {};
    bool alive = true;
    bool registered = true;
};

struct lease {
    int consumer = 0;
    int worker = 0;
    std::vector<int> members = {};
    bool waited = false;  ///< its messages did
    std::int64_t id = 0;
    std::string token = {};
    bool finished = false;
    bool reaped = false;
    bool removed = false;  ///< out of the ledger
    bool overdue = false;
};

enum class progress { leased, pending, in_flight, delivered, failed };
enum class outcome { delivered, transient, terminal, crashed, snooze, interrupted };
const char* name_of(outcome result);

/// One message for one handler of one consumer; handler '' while no handler takes the type.
struct owed_key {
    int message = 0;
    int consumer = 0;
    std::string handler = {};
    bool operator<(const owed_key& other) const {
        return std::tie(message, consumer, handler) <
               std::tie(other.message, other.consumer, other.handler);
    }
};

struct owed {
    progress state = progress::leased;
    bool parked = false;  ///< has a row of its own, so it outlives the log
    int lease = -1;
    int attempts = 1;
    int failures = 0;
    int crashes = 0;
    int interruptions = 0;
    bool suspect = false;
    int max_attempts = 5;
    int max_crashes = 3;
    bool due = false;
    std::int64_t id = 0;  ///< these four while in flight
    std::string token = {};
    int worker = -1;
    bool overdue = false;
};

struct failure {
    int message = 0;
    std::optional<std::string> handler = {};  ///< nothing: every handler of the message
    outcome result = outcome::transient;
    bool at_once = false;  ///< due again immediately
    bool reaped = false;   ///< its worker is lost: it becomes a suspect
};

/// Transaction ids at the cursor's two snapshots: late committers have lower ones, and a claim
/// never mixes them with the others.
struct horizons {
    std::uint64_t done = 0;
    std::uint64_t open = 0;
};

/// The result of a claim of messages that wait: its time in microseconds and the messages it left.
struct waiting_claim {
    std::int64_t not_before = 0;
    std::int64_t not_after = 0;
    std::set<int> left = {};
};

struct handed_out {
    std::vector<int> members = {};
    int parked = 0;  ///< as the engine reports it
    int lease = -1;
    bool searched = false;  ///< no message was found; the cursor may have passed unwanted ones
};

/// The specification of the engine without SQL: sets and a clock of commits instead of snapshots.
class model {
  public:
    std::vector<message> messages = {};
    std::vector<consumer> consumers = {};
    std::vector<worker> workers = {};
    std::vector<lease> leases = {};
    std::map<owed_key, owed> ledger = {};

    void commit(const std::vector<int>& published);
    int create_consumer(const std::string& name, const std::string& channel, bool from_beginning);
    int find_consumer(const std::string& name, const std::string& channel) const;
    void register_handler(int consumer, handler definition);
    void retire_handler(int consumer, const std::string& name);

    /// By the cursor for messages of its kind.
    bool passed(const consumer& by, int message) const;
    handed_out exchange(int worker, int limit, horizons& at);
    handed_out exchange_waiting(int worker, int limit, bool idle, const waiting_claim& seen);
    /// Both kinds in turn; waiting_first is the kind of this turn, and then of the next one.
    handed_out exchange_in_turn(int worker, int limit, horizons& at, bool& waiting_first,
                                const waiting_claim& seen);
    handed_out claim(int worker, int limit, horizons at, bool waiting_first,
                     const waiting_claim& seen);
    /// False: there are messages that begin to wait.
    bool note_nothing(int consumer);
    /// Makes deliveries of those that wait.
    void carry_waiting(const std::vector<int>& some);
    void move_over_unwanted(int consumer);
    /// False: it has messages left that the consumer takes.
    bool finish_segment(int consumer);

    std::string settle(int lease, const std::optional<std::set<int>>& delivered,
                       const std::vector<failure>& failures);
    void conclude(const owed_key& key, outcome result, bool at_once);
    struct reaped {
        int leases = 0;
        int deliveries = 0;
    };
    reaped reap();
    bool lost(int worker) const;
    bool claimable(int worker, const owed_key& key, const owed& item, bool alone) const;
    std::vector<owed_key> of_lease(int lease, int message) const;
    /// Handlers that came after a message that waited was handed out. They get it if it fails as a
    /// whole.
    std::vector<owed_key> newcomers(int lease, int message) const;

    /// The rows of the view outbox, sorted: id, consumer, handler, status and the counters.
    std::vector<std::string> view() const;

  private:
    bool covers(const cursor& at, int message) const;
    bool in_flight(int consumer, int message) const;
    std::vector<int> next_batch(const consumer& by, int limit, std::uint64_t late_before) const;
    std::vector<int> next_waiting(const consumer& by) const;
    std::vector<int> take(const consumer& by, int limit, bool idle, std::int64_t now,
                          std::optional<int> overdue) const;
    std::vector<std::optional<int>> overdue(const consumer& by, int limit,
                                            const waiting_claim& seen) const;
    handed_out give(int worker, const std::vector<int>& batch, bool waited);
    void park(const owed_key& key);
    void end_revision(consumer& of, const std::string& name);

    using row_sink = std::function<void(int message, int consumer, const std::string& handler,
                                        const char* status, const owed& item)>;
    void view_pending(const row_sink& add) const;
    void view_waited(const row_sink& add) const;

    int clock_ = 0;
};

}  // namespace postrider::test
