#pragma once

#include <map>
#include <mutex>
#include <postrider/postrider.hpp>
#include <string>

#include "support/faults/tcp_gate.hpp"
#include "support/turnstile.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {

/// A worker behind a gate, with a plain handler (plain.*) and a transactional one (book.*), and the
/// checks that no message is lost or has its effect twice.
class worker_under_fault : public worker_fixture {
  protected:
    void SetUp() override { session.exec("create table public.effect (key text)"); }

    /// Short timeouts, so that a fault is detected soon, but not on a slow machine without one.
    worker_options behind_gate(const std::string& consumer = "office") const {
        auto made = options(consumer);
        made.database = gate.conninfo(database.name()) + " connect_timeout=2";
        made.call_timeout = std::chrono::milliseconds(1500);
        made.heartbeat_timeout = std::chrono::seconds(3);
        made.sweep = std::chrono::seconds(2);
        made.poll = std::chrono::milliseconds(300);
        made.shutdown_timeout = std::chrono::seconds(5);
        return made;
    }
    worker& add_handlers(worker& to) {
        to.on(
            "plain.*", "office.plain", [this](const event& e) { note(e); }, soon());
        to.on("book.*", "office.book", book, soon());
        return to;
    }
    static void book(const event& e, transaction& tx) {
        tx.exec("insert into effect values ($1)", e.id());
    }
    void note(const event& e) {
        const std::lock_guard lock(mutex_);
        ++plain_runs_[e.id()];
    }

    void publish_some(int of_each) {
        session.exec("select postrider.publish(kind) from generate_series(1, " +
                     std::to_string(of_each) + "), unnest(array['plain.a', 'book.a']) kind");
        published_ += of_each;
    }
    /// The end of every test: messages published from now on are handled, and none before was lost.
    void expect_recovery(std::chrono::seconds timeout = std::chrono::seconds(30)) {
        publish_some(2);
        expect_all_delivered(timeout);
    }
    void expect_all_delivered(std::chrono::seconds timeout = std::chrono::seconds(30)) {
        EXPECT_TRUE(
            becomes(std::to_string(2 * published_) + " of " + std::to_string(2 * published_),
                    "select count(*) filter (where status = 'delivered') || ' of ' ||"
                    " count(*) from postrider.outbox",
                    timeout));
        EXPECT_EQ(value("select count(*) || ' ' || count(distinct key) from effect"),
                  std::to_string(published_) + " " + std::to_string(published_));
        const std::lock_guard lock(mutex_);
        EXPECT_EQ(plain_runs_.size(), static_cast<std::size_t>(published_));
    }
    /// Handlers that ran more than once.
    int repeated() const {
        const std::lock_guard lock(mutex_);
        int runs = 0;
        for (const auto& [id, count] : plain_runs_) {
            runs += count > 1 ? 1 : 0;
        }
        return runs;
    }
    /// Sessions of the worker, seen by the server.
    std::string sessions() {
        return value(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid()");
    }

    tcp_gate gate;
    int published_ = 0;  ///< of each kind

  private:
    mutable std::mutex mutex_;
    std::map<std::string, int> plain_runs_;
};

}  // namespace postrider::test
