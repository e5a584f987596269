#include <postrider/postrider.hpp>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

/// Records whole records and figures, which the observer does not keep.
class notebook : public sink {
  public:
    void handled(const handle_record& record) override {
        const std::lock_guard lock(mutex_);
        durations_.push_back(record.duration);
        lines_.push_back(std::string(record.event_type) + " " + std::string(record.source) + " " +
                         std::string(record.target.value_or("-")) + " " +
                         std::string(record.workspace_id.value_or("-")) + " " +
                         std::string(record.handler) + " " + std::to_string(record.attempts) + " " +
                         std::string(record.outcome));
    }
    void figures(const worker_figures& record) override {
        const std::lock_guard lock(mutex_);
        listening_.push_back(record.listening);
        changed_.notify_all();
    }
    std::vector<std::string> lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }
    std::vector<std::chrono::nanoseconds> durations() const {
        const std::lock_guard lock(mutex_);
        return durations_;
    }
    bool wait_listening(bool expected) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(
            lock, 20s, [&] { return !listening_.empty() && listening_.back() == expected; });
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;
    std::vector<std::chrono::nanoseconds> durations_;
    std::vector<bool> listening_;
};

class reporting : public worker_fixture {
  protected:
    worker_options reported() const {
        auto made = options();
        made.sink = fan_out(watching, notes);
        return made;
    }
    /// The worker's sessions in this test's database.
    std::string sessions(const std::string& condition) {
        return "select count(*) from pg_stat_activity where datname = current_database()"
               " and pid <> pg_backend_pid() and backend_type = 'client backend' and " +
               condition;
    }

    std::shared_ptr<notebook> notes = std::make_shared<notebook>();
};

TEST_F(reporting, every_run_is_a_record_with_attempts_duration_and_result) {
    worker office(reported());
    office.on(
        "order.placed", "office.book",
        [](const event&, context& run) {
            if (run.attempts() == 1) {
                throw std::runtime_error("not yet");
            }
        },
        soon());
    office.start();
    publish("order.placed",
            "p_source => 'shop', p_target => 'office', p_workspace_id => "
            "'11111111-1111-1111-1111-111111111111'");
    ASSERT_TRUE(watching->wait_runs(2));
    office.request_stop();
    office.wait();
    const std::string about =
        "order.placed shop office 11111111-1111-1111-1111-111111111111 office.book ";
    EXPECT_EQ(notes->lines(),
              (std::vector<std::string>{about + "1 transient", about + "2 delivered"}));
    for (const auto duration : notes->durations()) {
        EXPECT_GT(duration, 0ns);
    }
}

TEST_F(reporting, a_worker_has_two_connections_and_the_keeper_two_more) {
    worker office(reported());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    ASSERT_TRUE(becomes("4", sessions("state = 'idle'")));
    EXPECT_EQ(value(sessions("true")), "4");
    // The connections that claim and listen hold no locks.
    becomes("2",
            "select count(distinct l.pid) from pg_locks l join pg_stat_activity a using (pid)"
            " where l.locktype = 'advisory' and l.granted"
            " and a.datname = current_database() and a.pid <> pg_backend_pid()");
}

TEST_F(reporting, whether_notifications_are_heard_is_a_figure) {
    worker office(reported());
    office.on("*", "office.all", [](const event&) {});
    office.start();
    publish("a.b");
    ASSERT_TRUE(watching->wait_runs(1));
    EXPECT_TRUE(notes->wait_listening(true));
    // The loss is reported once, the recovery too; meanwhile the worker polls.
    session.exec(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        " and (query like '%notification%' or query like '%doorbell_state%' or query ilike "
        "'%listen%')"
        " and application_name <> 'postrider keeper' and pid <> pg_backend_pid()");
    ASSERT_TRUE(watching->wait_state("listener_lost"));
    ASSERT_TRUE(watching->wait_state("listening"));
    publish("a.b");
    EXPECT_TRUE(watching->wait_runs(2));
}

TEST_F(reporting, how_many_handlers_run_is_a_figure) {
    auto often = reported();
    often.heartbeat_timeout = 1s;
    worker office(often);
    turnstile door;
    office.on("*", "office.all", [&](const event&) { EXPECT_TRUE(door.pass()); });
    office.start();
    session.exec("select postrider.publish('a') from generate_series(1, 3)");
    EXPECT_TRUE(door.wait_for(3));
    EXPECT_TRUE(watching->wait_running(3));
    door.open();
    ASSERT_TRUE(watching->wait_runs(3));
    EXPECT_TRUE(watching->wait_running(0));
}

}  // namespace
}  // namespace postrider::test
