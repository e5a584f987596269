#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "chaos/record/record.hpp"

namespace postrider::chaos {

/// A crash of the server undoes claims and reports of at most this time before it: their commits
/// are asynchronous, and a run may begin a while after its claim.
inline constexpr instant before_a_crash = 10'000'000;

/// A message, as recorded by the publishers and the database.
struct message_fact {
    enum class fate { in_doubt, committed, rolled_back };
    std::string id = {};
    bool intended = false;
    instant intended_at = 0;
    fate ended = fate::in_doubt;
    instant ended_at = 0;
    std::string type = {};
    std::string key = {};
    std::string target = {};
    std::string channel = {};
    std::optional<std::int64_t> generation = {};
    instant available_at = 0;
    std::string account = {};  ///< its ordering key
    std::int64_t version = 0;  ///< of the account: in the order of commits
    bool in_database = false;  ///< was ever there
    bool in_log = false;       ///< still is
};

struct role_fact {
    std::string consumer;
    std::string handler;
    std::string channel;
    std::vector<std::string> types;
    bool transactional = false;
    int max_attempts = 0;
    int max_crashes = 0;
    bool behind_broker = false;  ///< `channel` is the one that the relay reads
    bool ordered = false;

    bool takes(const message_fact& message) const;
};

struct run_fact {
    std::string process;
    int cycle = 1;
    instant began = 0;
    std::optional<instant> ended = {};
    std::string outcome = {};  ///< empty: never ended
    std::optional<std::int64_t> generation = {};
};

/// A change of a (message, handler) in the database.
struct step_fact {
    enum class kind { claimed, released, settled, other };
    kind change = kind::other;
    instant at = 0;
    std::string process = {};
    std::string why = {};  ///< of a release
};

/// One (message, handler) that must be handled, with all its records.
struct obligation {
    const message_fact* message = nullptr;
    const role_fact* role = nullptr;
    std::vector<run_fact> runs = {};  ///< by their beginning
    std::vector<step_fact> steps = {};
    std::vector<record> delivery = {};  ///< changes of its delivery, if it has one
    std::vector<record> shown = {};     ///< rows of the outbox in the end
    bool removed = false;               ///< by retention
};

struct fault_fact {
    std::string name;
    instant began = 0;
    instant ended = 0;
};

/// A request of a worker to the server, and the time of the answer.
struct answer_fact {
    instant asked = 0;
    instant at = 0;
};

/// A heartbeat of a worker that the server answered.
struct sign_fact {
    instant at = 0;
    instant took = 0;
    bool listening = false;
    bool keeper = false;
};

struct process_fact {
    std::string consumer = {};  ///< of a worker
    std::string channel = {};
    int threads = 0;
    std::optional<std::int64_t> status = {};  ///< exit status; none: its end was not recorded
    instant last_record_at = 0;               ///< the last line of its history
    std::vector<instant> stops = {};          ///< SIGSTOP
    std::vector<answer_fact> claims = {};     ///< of due deliveries, answered; in order
    std::vector<sign_fact> signs = {};        ///< in order
    std::vector<instant> troubles = {};       ///< it lost a connection or began to stop; in order
};

struct lease_fact {
    std::string process;
    std::string worker;
    instant at = 0;
};

/// Identifies the effect of a handler. Every message of a run has the same source.
struct effect_key {
    std::string consumer;
    std::string handler;
    std::string key;
    auto operator<=>(const effect_key&) const = default;
    std::string text() const { return consumer + " " + handler + " " + key; }
};

/// All records of a run.
class facts {
  public:
    explicit facts(const std::filesystem::path& directory);
    facts(const facts&) = delete;
    facts& operator=(const facts&) = delete;

    std::unordered_map<std::string, message_fact> messages;
    std::vector<role_fact> roles;
    std::map<std::string, obligation> obligations;
    std::map<std::string, obligation> behind_broker;  ///< of consumers behind a broker
    std::vector<instant> broker_kills;
    std::vector<fault_fact> faults;
    std::vector<instant> crashes;  ///< of the server
    std::vector<record> lease_changes;
    std::map<std::string, lease_fact> leases;  ///< by consumer, channel and id
    std::map<effect_key, int> effects;
    std::set<effect_key> handled;
    std::map<std::pair<std::string, int>, int> alerts;  ///< by delivery and cycle
    std::map<std::string, process_fact> processes;
    std::vector<record>
        strange_runs;  ///< runs of messages that were not published with this content
    std::int64_t seed = 0;
    std::int64_t claim_ms = 0;
    std::int64_t start_ms = 0;
    std::int64_t keeper_ms = 0;
    std::int64_t alive_ms = 0;
    std::int64_t timeout_ms = 0;      ///< of handlers
    instant longest_transaction = 0;  ///< microseconds, of those that committed
    bool drained = false;
    instant faults_over = 0;

    static std::string lease_key(const record& of);
    /// Whether the server crashed between the two, which may have undone reports shortly before.
    bool crashed_between(instant from, instant to) const;
    obligation* find(const std::string& message, const std::string& consumer,
                     const std::string& handler);

  private:
    void take(const std::string& process, record one);
    void take_conductors(const record& one);
    void take_publishers(const record& one);
    void take_runs(const std::string& process, const record& one);
    void take_processes(const record& one);
    void take_workers(process_fact& of, const record& one);
    void put_together();
    void add_runs();
    void add_leases();
    void add_deliveries();
    void sort_all();

    struct transaction_end {
        message_fact::fate how;
        instant at;
    };
    std::unordered_map<std::string, transaction_end> transactions_;
    std::vector<std::pair<std::string, std::string>> intents_;  // message and transaction
    std::unordered_map<std::string, std::string> id_of_seq_;
    std::map<std::pair<std::string, std::string>, record> open_runs_;
    struct finished_run {
        std::string process;
        record began;
        std::optional<record> ended;
    };
    std::vector<finished_run> runs_;
    std::vector<record> lease_claims_;
    std::vector<record> deliveries_;
    std::vector<record> outbox_;
};

}  // namespace postrider::chaos
