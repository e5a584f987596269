#pragma once

#include <string>
#include <vector>

#include "pg/connection.hpp"
#include "property/history.hpp"
#include "property/model.hpp"
#include "property/random_source.hpp"
#include "support/test_database.hpp"

namespace postrider::test {

/// A database with producers, workers and operators, and the model beside it. Every step does the
/// same to both, and compares their results and all rows of the view outbox.
class world {
  public:
    world(const test_database& database, std::uint64_t seed);
    world(const world&) = delete;
    world& operator=(const world&) = delete;
    ~world();

    void step(std::uint64_t seed);
    /// Ends every transaction, drains everything and checks the recorded runs.
    void finish();
    const std::vector<std::string>& log() const { return log_; }

  private:
    struct consumer_plan {
        std::string name;
        std::string channel;
        std::vector<handler> handlers;
    };
    struct producer {
        pg::connection session;
        bool open = false;
        std::uint64_t xid = 0;
        std::vector<int> published = {};
        std::vector<std::size_t> savepoints = {};
    };
    struct bystander {
        pg::connection session;
        bool open = false;
    };
    struct prepared_transaction {
        std::string name;
        std::vector<int> published;
    };
    struct report {
        std::optional<std::set<int>> delivered = {};
        std::vector<failure> failures = {};
    };
    struct run {
        owed_key key;
        std::int64_t delivery = 0;
        std::string token;
        int worker = 0;
    };
    struct cursor_row {
        std::int64_t lease = 0;
        std::int64_t waiting = 0;  ///< the newest lease of messages that waited
        bool moved_only = false;
        bool at_end = false;  ///< of its segment
        horizons at = {};
    };

    /// Which messages a claim is for: both kinds take turns, or one of them, those that wait also
    /// while the log has more.
    enum class stream { in_turn, log, waiting, waiting_busy };
    /// The engine's answer to a claim.
    struct claim_answer {
        std::vector<std::pair<std::int64_t, std::string>> messages = {};  ///< seq and id
        std::optional<std::int64_t> lease = {};
        std::string token = {};
        std::string settled = {};
        std::optional<int> parked = {};
    };

    // world.cpp
    void reset_partitions(int count);
    void compare();
    void compare_waiting();
    void note(std::string line);

    // world_producers.cpp
    void begin(random_source& random);
    void publish(random_source& random);
    producer* draw_writer(random_source& random);
    void end(random_source& random);
    void end_with(producer& by, const char* how);
    void prepare(random_source& random);
    void end_prepared(random_source& random);
    void finish_prepared(std::size_t which, bool commit);
    void savepoint(random_source& random);
    void burn(random_source& random);
    int draw_message(producer& by, random_source& random, const std::string& channel);
    void insert_one(producer& by, const message& the_message, random_source& random);
    void insert_many(producer& by, const std::vector<int>& which);

    // world_workers.cpp
    void register_worker(random_source& random);
    void add_worker(const std::string& id, const consumer_plan& plan,
                    const std::vector<handler>& handlers, bool from_beginning);
    int draw_worker(random_source& random) const;
    int draw_lease(random_source& random) const;
    bool refused(pg::connection& session, int worker, const char* sql, const pg::params& values);

    // world_claims.cpp
    void claim(random_source& random);
    void exchange(random_source& random);
    void claim_waiting(random_source& random);
    void exchange_from(stream from, int worker, int limit, random_source& random);
    void exchange_for(stream from, int worker, int limit, int lease, const report& sent);
    /// Applies the engine's claim to the model, and compares.
    void take(const claim_answer& answer, const handed_out& expected);
    cursor_row read_cursor(int consumer);
    void follow_cursor(int consumer, const cursor_row& before, const handed_out& result);

    // world_waiting.cpp
    static claim_answer read_packed(const pg::result& rows);
    static claim_answer read_rows(const pg::result& rows);
    /// Due times, and the time at the database.
    std::int64_t learn_due_times();
    waiting_claim watch_claim(int consumer, std::int64_t since);
    void bring_forward(std::optional<int> message);

    // world_settling.cpp
    report draw_report(int lease, random_source& random) const;
    static failure draw_failure(int message, random_source& random);
    static std::string outcome_json(const failure& failed);
    std::string failures_json(const std::vector<failure>& failures) const;
    std::string seqs(const std::set<int>& which) const;
    void settle(random_source& random);
    void settle_with(int lease, const report& sent);
    void settle_forged(random_source& random);
    void release(random_source& random);
    void abandon(random_source& random);

    // world_due.cpp
    void claim_due(random_source& random);
    struct due_amounts {
        int limit;  ///< runs that start at once
        int hold = 0;
        bool alone = true;
    };
    void claim_due_up_to(int worker, due_amounts amounts);
    void require_fair(const std::vector<owed_key>& candidates, const std::vector<owed_key>& claimed,
                      due_amounts amounts) const;
    void settle_due(random_source& random);
    void settle_runs(int worker, const std::vector<std::pair<run, failure>>& outcomes);

    // world_operators.cpp
    void crash(random_source& random);
    void pass_deadlines(random_source& random);
    void reap(random_source& random);
    void heartbeat(random_source& random);
    void extend(random_source& random);
    void pause(random_source& random);
    void retire(random_source& random);
    void unregister(random_source& random);
    void make_due(random_source& random);
    void make_everything_due();

    // world_partitions.cpp
    void maintain(random_source& random);
    void ensure_partitions(random_source& random);
    void drop_partitions(random_source& random);
    bool someone_writes() const;
    bool calm(random_source& random);
    bool still_owed(int message) const;

    // world_drain.cpp
    void drain(int consumer);
    bool drained(int consumer) const;

    model model_;
    history history_;
    std::vector<std::string> log_;
    std::vector<consumer_plan> plans_;
    pg::connection admin_;
    pg::connection hands_;     ///< the workers' connection
    pg::connection programs_;  ///< theirs for packed messages: its plans are pinned
    std::vector<producer> producers_;
    std::vector<bystander> bystanders_;
    std::vector<prepared_transaction> prepared_;
    std::vector<run> runs_;
    std::string database_;
    int names_ = 0;
};

}  // namespace postrider::test
