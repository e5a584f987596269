#pragma once

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
