// A working worker leaves no needless lines in the server's log.
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "fault/own_server.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

class worker_log : public own_server {
  protected:
    worker_log() : own_server(false) {}
    void SetUp() override {
        server.start();
        prepare();
    }
    // A worker sleeps and needs a NOTIFY.
    bool bell_is_out() const {
        return value(
                   "select count(*) from pg_locks where locktype = 'advisory'"
                   " and classid = 1886351201 and mode = 'ExclusiveLock'") == "1";
    }
    std::string complaints() const {
        std::string found;
        std::ifstream log(server.where().log);
        for (std::string line; std::getline(log, line);) {
            // Not FATAL: a notification may be on its way to a connection that is being closed.
            for (const auto* level : {" WARNING: ", " ERROR: "}) {
                found += line.find(level) == std::string::npos ? "" : line + "\n";
            }
        }
        return found;
    }
};

TEST_F(worker_log, a_worker_that_sleeps_wakes_up_and_fails_now_and_then_is_not_mentioned) {
    auto brief = options();
    brief.batch_max = 2;  // several claims for messages published at once: it stays awake
    {
        worker office(brief);
        office.on("book.b", "office.fail", [](const event&) { throw std::runtime_error("no"); },
                  {.max_attempts = 1});
        add_handler(office).start();
        pg::connection session(server.conninfo());
        for (int round = 1; round <= 3; ++round) {
            ASSERT_TRUE(eventually([&] { return bell_is_out(); }));
            publish(session, 40);
            session.exec("select postrider.publish('book.b', p_priority => 3)");
            ASSERT_TRUE(eventually([&] {
                return value(
                           "select (select count(*) from effect) || ' '"
                           " || (select count(*) from postrider.delivery where dead_at is not "
                           "null)") == std::to_string(40 * round) + " " + std::to_string(round);
            }));
        }
        session.exec("select postrider.set_wake('outbox_default', 'always')");
        publish(session, 40);
        ASSERT_TRUE(eventually([&] { return value("select count(*) from effect") == "160"; }));
    }
    EXPECT_EQ(complaints(), "");
}

}  // namespace
}  // namespace postrider::test
