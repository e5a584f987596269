// A worker whose server ends its sessions, refuses new ones, cancels its statements, runs out of
// disk space, restarts or crashes.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "fault/own_server.hpp"
#include "fault/worker_under_fault.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_server : public worker_under_fault {
  protected:
    void start() {
        add_handlers(office).start();
        publish_some(4);
        expect_all_delivered();
    }
    // Sessions of the worker whose last statement looks like this.
    void terminate(const std::string& last_statement) {
        ASSERT_TRUE(becomes("t",
                            "select count(pg_terminate_backend(pid)) > 0 from pg_stat_activity"
                            " where datname = current_database() and pid <> pg_backend_pid()"
                            " and query ~ '" +
                                last_statement + "'"));
    }
    worker office{behind_gate()};
};

TEST_F(worker_server, sessions_that_the_server_ends_are_replaced) {
    start();
    ASSERT_TRUE(asleep());
    terminate("doorbell|notification|listen");
    EXPECT_TRUE(watching->wait_state("listener_lost"));
    expect_recovery();
    terminate("exchange|heartbeat|next_due|reap");
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    expect_recovery();
    terminate("^commit");
    expect_recovery();
    terminate(".*");
    expect_recovery();
    EXPECT_EQ(watching->count_state("lease_lost"), 0);
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_server, statements_that_are_cut_short_are_repeated) {
    start();
    session.exec("alter database " + database.name() + " set statement_timeout = '1ms'");
    // Slow enough to be interrupted: the claim waits for the lock of the consumer.
    session.exec("begin; lock table postrider.lease in access exclusive mode");
    terminate(".*");
    EXPECT_TRUE(watching->wait_state("database_error"));
    session.exec("rollback");
    session.exec("alter database " + database.name() + " reset statement_timeout");
    terminate(".*");
    expect_recovery();
    EXPECT_EQ(repeated(), 0);
}

TEST_F(worker_server, more_sessions_than_the_server_allows_are_waited_for) {
    session.exec("create role clerk login connection limit 2 in role postrider_worker");
    session.exec("grant all on public.effect to clerk");
    auto limited = behind_gate();
    limited.database += " user=clerk";
    worker clerks(limited);
    add_handlers(clerks).start();
    // Two sessions are the coordinator's; the transactional handler has none.
    publish_some(2);
    EXPECT_TRUE(becomes("2",
                        "select count(*) from postrider.outbox where event_type = 'book.a'"
                        " and status = 'pending' and interruptions > 0 and attempts = 0"));
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.outbox where status = 'delivered'"));
    session.exec("alter role clerk connection limit -1");
    expect_recovery();
    clerks.request_stop();
    clerks.wait();
    session.exec("drop owned by clerk; drop role clerk");
}

// A real full disk would need a file system of its own; a trigger raises the same error.
TEST_F(worker_server, a_full_disk_is_waited_for) {
    start();
    session.exec(
        "create function full_disk() returns trigger language plpgsql as $$ begin"
        " raise exception using errcode = '53100', message = 'could not extend file: No space left"
        " on device'; end $$");
    session.exec(
        "create trigger full_disk before insert or update on postrider.lease"
        " for each row execute function full_disk()");
    publish_some(2);
    EXPECT_TRUE(watching->wait_state("database_error"));
    session.exec("drop trigger full_disk on postrider.lease");
    expect_recovery();
    EXPECT_EQ(watching->count_state("connection_lost"), 0);
    EXPECT_EQ(repeated(), 0);
}

// With everything on disk.
class worker_restart : public own_server {
  protected:
    worker_restart() : own_server(true) {}
    void SetUp() override {
        server.start();
        prepare();
    }
    void publish(int count) {
        pg::connection session(server.conninfo());
        own_server::publish(session, count);
    }
    void kill_postmaster() const {
        long pid = 0;
        std::ifstream(server.where().cluster / "postmaster.pid") >> pid;
        ASSERT_GT(pid, 1);
        ASSERT_EQ(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
    }
};

TEST_F(worker_restart, a_worker_survives_a_restart_and_a_crash_of_its_server) {
    worker office(options());
    add_handler(office).start();
    publish(20);
    ASSERT_TRUE(watching->wait_done(20));
    server.stop();
    EXPECT_TRUE(watching->wait_state("connection_lost"));
    server.start();
    publish(20);
    ASSERT_TRUE(watching->wait_done(40));
    EXPECT_TRUE(watching->wait_state("recovered"));
    publish(20);
    kill_postmaster();  // reports of the worker about these may be lost
    server.start();
    publish(20);
    ASSERT_TRUE(watching->wait_done(80));
    // A message whose report was lost is handed out again.
    EXPECT_TRUE(eventually([&] {
        return value("select count(*) from postrider.outbox where status <> 'delivered'") == "0";
    }));
    office.request_stop();
    office.wait();
    EXPECT_EQ(value("select count(*) || ' ' || count(distinct key) from effect"), "80 80");
}

}  // namespace
}  // namespace postrider::test
