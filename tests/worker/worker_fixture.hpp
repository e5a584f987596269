#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <postrider/worker.hpp>
#include <string>

#include "support/test_database.hpp"
#include "worker/observer.hpp"

namespace postrider::test {

/// A database, an observer of state changes, and a connection to query and publish with.
class worker_fixture : public ::testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure()) {
            std::cerr << watching->said();
        }
    }
    /// Shorter times than the defaults, which would make tests slow.
    worker_options options(const std::string& consumer = "office") const {
        worker_options made;
        made.database = database.conninfo();
        made.consumer = consumer;
        made.concurrency = 4;
        made.sink = watching;
        return made;
    }
    static handler_options soon() {
        handler_options made;
        made.retry = {.curve = curve::fixed,
                      .base = std::chrono::milliseconds(1),
                      .floor = std::chrono::milliseconds(0)};
        made.max_attempts = 3;
        return made;
    }
    /// Deliveries of a handler that were never run, due at an SQL instant.
    void make_deliveries(const std::string& type, const std::string& handler, int count,
                         const std::string& due, int priority = 0) {
        // No consumer reads this channel, so the messages are handed out as deliveries alone.
        session.exec(
            "insert into postrider.message (channel, event_type, available_at, priority)"
            " select 'elsewhere', '" +
            type + "', " + due + ", " + std::to_string(priority) + " from generate_series(1, " +
            std::to_string(count) + ")");
        session.exec(
            "select postrider.park(c.id, 'elsewhere', m.xids, m.seqs,"
            " array_fill('" +
            handler +
            "'::text, array[cardinality(m.seqs)]), '-infinity', 'infinity')"
            " from postrider.consumer c,"
            " (select array_agg(xid) as xids, array_agg(seq) as seqs"
            " from postrider.message where channel = 'elsewhere' and event_type = '" +
            type + "') m where c.name = 'office'");
        session.exec("select postrider.ring('outbox_default')");
    }
    void publish(const std::string& event_type, const std::string& more = "") {
        session.exec("select postrider.publish('" + event_type + "'" +
                     (more.empty() ? "" : ", " + more) + ")");
    }
    std::string value(const std::string& sql) {
        const auto rows = session.exec(sql);
        return rows.empty() ? "" : std::string(rows.text(0, 0));
    }
    /// The number of rows of the view with a status: pending, in_flight, delivered or failed.
    std::string count(const std::string& status) {
        return value("select count(*) from postrider.outbox where status = '" + status + "'");
    }
    /// Polls until a query has the expected result: for commits of another process or thread.
    bool becomes(const std::string& expected, const std::string& sql,
                 std::chrono::seconds timeout = std::chrono::seconds(20)) {
        const auto deadline = std::chrono::steady_clock::now() + timeout;
        while (value(sql) != expected) {
            if (std::chrono::steady_clock::now() > deadline) {
                ADD_FAILURE() << sql << " is " << value(sql) << ", not " << expected;
                return false;
            }
            session.exec("select pg_sleep(0.005)");
        }
        return true;
    }
    /// Waits until the keeper holds the doorbell: then the worker is idle and has no work left.
    bool asleep() {
        return becomes("1",
                       "select count(*) from pg_locks where locktype = 'advisory' and granted"
                       " and classid = 1886351201 and mode = 'ExclusiveLock' and database = "
                       "(select oid from pg_database where datname = current_database())");
    }

    test_database database;
    pg::connection session = database.connect();
    std::shared_ptr<observer> watching = std::make_shared<observer>();
};

}  // namespace postrider::test
