#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "chaos/publisher.hpp"
#include "chaos/record/history.hpp"
#include "chaos/roles.hpp"
#include "embedded/broker_process.hpp"
#include "embedded/server.hpp"
#include "pg/connection.hpp"
#include "support/faults/tcp_gate.hpp"

namespace postrider::chaos {

struct testbed_options {
    std::filesystem::path directory;
    std::filesystem::path program;  ///< of all processes: this one
    chaos::tempo tempo = {};
    int office_workers = 3;
    int audit_workers = 2;
    int ledger_workers = 2;
    int publishers = 2;
    int rate = 150;  ///< messages per second of all publishers together; 0: none of their own
    /// How long every publisher keeps one of its transactions open.
    std::chrono::milliseconds long_transaction{30000};
    std::uint64_t seed = 1;
    bool standby = false;    ///< a synchronous standby
    bool broker = false;     ///< a relay to NATS, and two workers behind it
    bool full_disk = false;  ///< the server's WAL is on a small file system of its own
    /// POSTRIDER_FAULTS of every worker process: for builds in which a rule is switched off.
    std::string worker_faults = {};
};

/// One process of the run. It is restarted whenever it ends without a request to stop.
struct part {
    std::string name;
    std::string consumer = {};  ///< empty: a publisher
    std::optional<std::int64_t> generation = {};
    int incarnation = 0;
    std::unique_ptr<child_process> process = {};
    std::string process_name = {};
    instant respawn_at = 0;
    bool wanted = true;
    bool stopped = false;                                    ///< by SIGSTOP
    std::map<std::string, std::string> next_variables = {};  ///< of the next incarnation only
};

/// A private server with the settings of a run.
std::unique_ptr<embedded::server> make_server(const std::filesystem::path& data_dir);

/// All parts of a run: the server, the network in front of it, the processes, and the conductor's
/// history of its actions. For one thread.
class testbed {
  public:
    explicit testbed(testbed_options options);
    testbed(const testbed&) = delete;
    testbed& operator=(const testbed&) = delete;
    ~testbed();

    /// Server, schema, journal and processes.
    void open();
    /// Restarts processes that should run, and records the processes that have ended.
    void tend();
    void stop_publishers();
    void stop_workers();

    /// A session of the conductor that bypasses the gates; reconnects when it is broken.
    pg::connection& session();
    void forget_session() { session_.reset(); }
    /// Runs a statement and returns whether it succeeded: the server may be down.
    bool try_sql(const std::string& sql);
    std::string value(const std::string& sql);
    /// Publishes as a process of its own would.
    void publish(const std::vector<message>& messages);

    embedded::server& server() { return *server_; }
    /// Null: the run has none.
    embedded::broker_process* broker() { return broker_.get(); }
    /// Starts the broker when it does not run, and continues it when it is stopped.
    void revive_broker();
    /// Between its clients and the broker; only of a run that has one.
    test::tcp_gate& broker_gate() { return *broker_gate_; }
    /// Makes the broker refuse messages or accept them again. Returns whether it does; a broker
    /// that does not answer follows when it is revived.
    bool set_broker_full(bool full);
    /// Messages that the consumers behind the broker have not acknowledged; -1: it does not answer.
    std::int64_t left_in_broker() const;
    test::tcp_gate& gate(bool of_workers) { return of_workers ? *worker_gate_ : *publisher_gate_; }
    std::vector<part>& parts() { return parts_; }
    part* find(const std::string& process_name);
    history& log() { return log_; }
    const testbed_options& options() const { return options_; }
    std::int64_t generation() const { return generation_; }
    /// Deploys the next generation: starts its worker, and publishers address it.
    void deploy();
    /// The ballast file of a small disk; empty when there is none.
    std::filesystem::path ballast() const;
    /// Kills the primary and promotes the standby; false when there is none that could take over.
    bool promote_standby();
    /// Starts a new standby.
    void make_standby();
    /// Starts the server again after it ended; waits until it answers.
    void revive_server();

  private:
    void move_wal();
    void prepare_database();
    void open_broker();
    void add_generation();
    void start(part& one);
    std::string conninfo(bool of_workers, const std::string& name) const;

    testbed_options options_;
    history log_;
    std::unique_ptr<embedded::server> server_;
    std::unique_ptr<embedded::server> standby_;
    std::unique_ptr<embedded::broker_process> broker_;
    std::unique_ptr<test::tcp_gate> broker_gate_;
    bool broker_full_ = false;
    int standbys_ = 0;
    std::unique_ptr<test::tcp_gate> worker_gate_;
    std::unique_ptr<test::tcp_gate> publisher_gate_;
    std::optional<pg::connection> session_;
    std::vector<part> parts_;
    std::int64_t generation_ = 0;
    publishing own_;
};

}  // namespace postrider::chaos
