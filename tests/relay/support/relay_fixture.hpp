#pragma once

#include <cstdio>
#include <map>
#include <postrider/relay.hpp>
#include <set>

#include "worker/worker_fixture.hpp"

namespace postrider::test {

/// A worker that relays from the log of a database of its own.
class relay_fixture : public worker_fixture {
  protected:
    /// One attempt: a failure that is charged becomes a dead letter.
    static handler_options one_attempt() {
        auto made = soon();
        made.max_attempts = 1;
        made.circuit = {.failures = 2,
                        .open = std::chrono::milliseconds(50),
                        .cap = std::chrono::milliseconds(200)};
        return made;
    }
    std::unique_ptr<worker> relaying(const relay_options& to,
                                     const handler_options& how = one_attempt()) const {
        auto made = std::make_unique<worker>(options("out"));
        relay(*made, "*", "out.relay", to, how);
        return made;
    }
    void publish_many(int count) {
        session.exec(
            "select postrider.publish('order.placed', jsonb_build_object('n', n))"
            " from generate_series(1, " +
            std::to_string(count) + ") n");
    }
    /// A relay of an ordered consumer.
    std::unique_ptr<worker> relaying_in_order(const relay_options& to) const {
        auto how = options("out");
        how.ordering = ordering_policy::hold();
        auto made = std::make_unique<worker>(how);
        relay(*made, "*", "out.relay", to, one_attempt());
        return made;
    }
    /// For each key the numbers from 1 on, the keys in turn.
    void publish_keyed(int keys, int each) {
        session.exec(
            "select postrider.publish('order.placed', jsonb_build_object('n', n, 'key', k),"
            " p_ordering_key => 'key ' || k) from (select n, k from generate_series(1, " +
            std::to_string(each) + ") n, generate_series(1, " + std::to_string(keys) +
            ") k order by n, k) s");
    }
    /// Payloads in the order of the broker: of each key every number once, in order.
    static void expect_order_of_keys(const std::vector<std::string>& payloads, int keys, int each) {
        std::map<int, int> last;
        for (const auto& one : payloads) {
            int n = 0;
            int key = 0;
            ASSERT_EQ(std::sscanf(one.c_str(), "{\"n\": %d, \"key\": %d}", &n, &key), 2) << one;
            EXPECT_EQ(n, ++last[key]) << "of key " << key;
        }
        EXPECT_EQ(payloads.size(), static_cast<std::size_t>(keys) * static_cast<std::size_t>(each));
    }
    std::string id_of(const std::string& event_type) {
        return value("select id from postrider.outbox where event_type = '" + event_type + "'");
    }
    std::string fate(const std::string& event_type) {
        return value(
            "select concat_ws(' ', status, error_class) from postrider.outbox where "
            "event_type = '" +
            event_type + "'");
    }
    bool all_delivered(int count) {
        return becomes(std::to_string(count),
                       "select count(*) from postrider.outbox where status = 'delivered'",
                       std::chrono::seconds(60));
    }
    bool circuit_opens() {
        return becomes("t",
                       "select circuit_openings > 0 from postrider.handlers where handler = "
                       "'out.relay'");
    }
    /// Gives every dead letter a new cycle.
    void replay_all() {
        session.exec(
            "select postrider.outbox_replay(id, null, 'test') from postrider.outbox"
            " where status = 'failed'");
    }
    std::set<std::string> published_ids() {
        const auto rows = session.exec("select id from postrider.message");
        std::set<std::string> all;
        for (int row = 0; row < rows.rows(); ++row) {
            all.emplace(rows.text(row, 0));
        }
        return all;
    }
};

}  // namespace postrider::test
