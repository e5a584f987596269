// Workers whose handlers have limits.
#include <atomic>
#include <map>
#include <mutex>
#include <postrider/postrider.hpp>
#include <random>
#include <thread>

#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

/// Counts the runs of all workers, in all and by key.
class run_counter {
  public:
    void begin(const std::string& key = {}) {
        const std::lock_guard lock(mutex_);
        most_ = std::max(most_, ++running_);
        auto& of_key = of_keys_[key];
        most_of_key_ = std::max(most_of_key_, ++of_key);
    }
    void end(const std::string& key = {}) {
        const std::lock_guard lock(mutex_);
        --running_;
        --of_keys_[key];
        ++ended_;
    }
    int most() const {
        const std::lock_guard lock(mutex_);
        return most_;
    }
    int most_of_key() const {
        const std::lock_guard lock(mutex_);
        return most_of_key_;
    }
    int ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }

  private:
    mutable std::mutex mutex_;
    int running_ = 0;
    int most_ = 0;
    int most_of_key_ = 0;
    int ended_ = 0;
    std::map<std::string, int> of_keys_;
};

class limits : public worker_fixture {
  protected:
    /// The handler is known before a worker starts, so that it can have a limit.
    void limit(const std::string& definition) {
        session.exec(
            "select postrider.register_worker('00000000-0000-4000-8000-000000000001', 'office',"
            " '[{\"name\": \"office.send\", \"event_types\": [\"*\"]}]', p_threads => 1)");
        session.exec("select postrider.unregister_worker('00000000-0000-4000-8000-000000000001')");
        change(definition);
    }
    void change(const std::string& definition) {
        session.exec("select postrider.set_limit('office', 'office.send', '" + definition + "')");
    }
    void publish_many(int count, const std::string& key = "null") {
        session.exec(
            "insert into postrider.message (event_type, source, payload, ordering_key)"
            " select 'mail', 'test', to_json(n), " +
            key + " from generate_series(1, " + std::to_string(count) + ") n");
    }
    /// Runs are counted, and wait at the gate.
    void start(std::initializer_list<worker*> all, turnstile& gate, run_counter& seen) {
        for (auto* each : all) {
            each->on("*", "office.send", [&](const event&) {
                seen.begin();
                gate.pass();
                seen.end();
            });
            each->start();
        }
    }
    void finish(std::initializer_list<worker*> all) {
        for (auto* each : all) {
            each->request_stop();
        }
        for (auto* each : all) {
            each->wait();
        }
    }
    const std::string delivered =
        "select count(*) from postrider.outbox where status = 'delivered'";
};

TEST_F(limits, two_workers_share_the_runs_of_a_handler) {
    limit(R"({"concurrency": 3})");
    turnstile gate;
    run_counter seen;
    worker one(options());
    worker two(options());
    start({&one, &two}, gate, seen);
    publish_many(20);
    EXPECT_TRUE(gate.wait_for(3));
    EXPECT_TRUE(becomes("3", "select running from postrider.limits"));
    EXPECT_TRUE(becomes("17", "select throttled from postrider.limits"));
    EXPECT_EQ(seen.most(), 3);
    gate.open();
    EXPECT_TRUE(becomes("20", delivered));
    EXPECT_EQ(seen.most(), 3);
    EXPECT_EQ(value("select coalesce(max(attempts), 0) from postrider.delivery"), "0")
        << "throttled messages are no deliveries";
    finish({&one, &two});
}

TEST_F(limits, a_limit_is_changed_while_workers_run) {
    limit(R"({"concurrency": 1})");
    turnstile gate;
    run_counter seen;
    worker one(options());
    worker two(options());
    start({&one, &two}, gate, seen);
    publish_many(20);
    EXPECT_TRUE(gate.wait_for(1));
    EXPECT_TRUE(becomes("19", "select throttled from postrider.limits"));
    EXPECT_EQ(seen.most(), 1);
    change(R"({"concurrency": 5})");
    EXPECT_TRUE(gate.wait_for(5)) << "without a restart";
    EXPECT_TRUE(becomes("15", "select throttled from postrider.limits"));
    EXPECT_EQ(seen.most(), 5);
    session.exec("select postrider.remove_limit('office', 'office.send')");
    EXPECT_TRUE(gate.wait_for(8)) << "all threads";
    gate.open();
    EXPECT_TRUE(becomes("20", delivered));
    finish({&one, &two});
}

// Runs of random length, failures, two limits at once, and a worker that starts and stops.
TEST_F(limits, no_run_exceeds_a_limit) {
    limit(R"({"concurrency": 5, "key": "ordering_key", "per_key": 2})");
    run_counter seen;
    std::atomic<unsigned> runs = 0;
    const auto handle = [&](const event& mail, context&) {
        const std::string key(mail.ordering_key().value_or(""));
        seen.begin(key);
        std::minstd_rand random(++runs);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
        seen.end(key);
        return random() % 5 == 0 ? transient("test", "now and then") : postrider::delivered();
    };
    auto patient = soon();
    patient.max_attempts = 100;
    patient.circuit.failures = 0;
    worker one(options());
    worker two(options());
    for (auto* each : {&one, &two}) {
        each->on("*", "office.send", handle, patient);
        each->start();
    }
    publish_many(300, "'k' || n % 7");
    {
        worker guest(options());
        guest.on("*", "office.send", handle, patient);
        guest.start();
        EXPECT_TRUE(
            becomes("t", "select count(*) > 50 from postrider.outbox where status = 'delivered'"));
        finish({&guest});
    }
    EXPECT_TRUE(becomes("300", delivered, 60s));
    EXPECT_LE(seen.most(), 5);
    EXPECT_GE(seen.most(), 4) << "the limit is used";
    EXPECT_LE(seen.most_of_key(), 2);
    finish({&one, &two});
}

TEST_F(limits, a_handler_declares_its_limits) {
    auto declared = soon();
    declared.limit = {.concurrency = 5,
                      .per_worker = 4,
                      .key = "ordering_key",
                      .per_key = 2,
                      .key_rate = start_rate{.starts = 1000, .period = 1s, .burst = 7},
                      .weights = {{"a", 3}}};
    turnstile gate;
    run_counter seen;
    const auto handle = [&](const event& mail) {
        const std::string key(mail.ordering_key().value_or(""));
        seen.begin(key);
        gate.pass();
        seen.end(key);
    };
    worker one(options());
    worker two(options());
    for (auto* each : {&one, &two}) {
        each->on("*", "office.send", handle, declared);
        each->start();
    }
    ASSERT_TRUE(becomes("t", "select bool_and(declared) from postrider.limits"));
    EXPECT_EQ(
        value("select definition from postrider.limits"),
        value(R"(select '{"concurrency": 5, "per_worker": 4, "key": "ordering_key", "per_key": 2,
                 "key_rate": {"starts": 1000, "period": "00:00:01", "burst": 7},
                 "weights": {"a": 3}}'::jsonb)"));
    publish_many(40, "chr(97 + n % 4)");
    EXPECT_TRUE(gate.wait_for(5));
    EXPECT_TRUE(becomes("35", "select throttled from postrider.limits"));
    EXPECT_EQ(seen.most(), 5);
    EXPECT_LE(seen.most_of_key(), 2);
    // An operator's limit outlives the next start of a worker.
    change(R"({"concurrency": 2})");
    gate.open();
    EXPECT_TRUE(becomes("40", delivered));
    finish({&one, &two});
    worker next(options());
    next.on("*", "office.send", handle, declared);
    EXPECT_EQ(next.drain(), 0);
    EXPECT_EQ(value("select definition from postrider.limits"), R"({"concurrency": 2})");
}

TEST_F(limits, a_limit_that_is_no_longer_declared_ends) {
    auto declared = soon();
    declared.limit = {.rate = start_rate{.starts = 1, .period = 1h}};
    worker before(options());
    before.on(
        "*", "office.send", [](const event&) {}, declared);
    before.drain();
    publish_many(3);
    EXPECT_EQ(before.drain(), 1);
    worker after(options());
    after.on(
        "*", "office.send", [](const event&) {}, soon());
    EXPECT_EQ(after.drain(), 2);
    EXPECT_EQ(value("select count(*) from postrider.limits"), "0");
}

TEST_F(limits, starts_are_spread_over_the_time) {
    limit(R"({"rate": {"starts": 50, "period": "1 second", "burst": 5}})");
    run_counter seen;
    worker one(options());
    one.on("*", "office.send", [&](const event&) {
        seen.begin();
        seen.end();
    });
    const auto began = std::chrono::steady_clock::now();
    publish_many(30);
    one.start();
    EXPECT_TRUE(becomes("30", delivered));
    // Five at once, and the others at 50 a second.
    EXPECT_GE(std::chrono::steady_clock::now() - began, 480ms);
    finish({&one});
}

TEST_F(limits, a_tenant_with_many_messages_does_not_delay_another) {
    limit(R"({"key": "ordering_key"})");
    run_counter seen;
    std::atomic<int> before_small = 0;
    std::atomic<int> small = 0;
    worker one(options());
    one.on("*", "office.send", [&](const event& mail) {
        if (mail.ordering_key() == "small") {
            ++small;
        } else if (small < 10) {
            ++before_small;
        }
        std::this_thread::sleep_for(5ms);
        seen.begin();
        seen.end();
    });
    publish_many(20'000, "'large'");
    publish_many(10, "'small'");
    one.start();
    EXPECT_TRUE(becomes("10",
                        "select count(*) from postrider.outbox"
                        " where ordering_key = 'small' and status = 'delivered'",
                        60s));
    EXPECT_LT(before_small, 2000) << "all of the log had to be noted, but not to be handled";
    finish({&one});
}

}  // namespace
}  // namespace postrider::test
