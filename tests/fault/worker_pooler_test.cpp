// A worker behind PgBouncer: refused in transaction mode, served in session mode.
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <postrider/error.hpp>

#include "pg/conninfo.hpp"
#include "support/eventually.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_pooler : public worker_fixture {
  protected:
    void SetUp() override {
        if (::access(program, X_OK) != 0) {
            GTEST_SKIP() << program << " is not installed";
        }
    }
    /// Starts PgBouncer on a socket of its own and waits until it answers.
    void start_pooler(const std::string& mode) {
        const auto server = session.exec(
            "select split_part(current_setting('unix_socket_directories'), ',', 1),"
            " current_setting('port'), current_user");
        const auto folder = scratch_.path().string();
        std::ofstream(folder + "/users.txt") << '"' << server.text(0, 2) << "\" \"\"\n";
        std::ofstream(folder + "/pgbouncer.ini")
            << "[databases]\n* = host=" << server.text(0, 0) << " port=" << server.text(0, 1)
            << " user=" << server.text(0, 2) << "\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\n"
            << "unix_socket_dir = " << folder << "\nauth_type = any\npool_mode = " << mode
            << "\nserver_reset_query_always = 0\nignore_startup_parameters = extra_float_digits\n";
        std::filesystem::permissions(folder, std::filesystem::perms::all);
        std::vector<std::string> command{program, folder + "/pgbouncer.ini"};
        if (::geteuid() == 0) {
            // PgBouncer refuses to run as root; the server's user can reach the server's socket.
            command.insert(command.begin() + 1, {"-u", owner_of(std::string(server.text(0, 0)))});
        }
        pooler_.emplace(command);
        url_ = "host=" + folder + " port=6432 dbname=" + database.name();
        ASSERT_TRUE(eventually([&] {
            try {
                pg::connection through(url_);
                return through.exec("select 1").rows() == 1;
            } catch (const error&) {
                return false;
            }
        })) << pooler_->output();
    }
    worker_options through_pooler(const std::string& consumer = "office") const {
        auto made = options(consumer);
        made.database = url_;
        made.sweep = 1h;
        made.poll = 1h;
        return made;
    }

    static std::string owner_of(const std::string& folder) {
        struct stat facts {};
        ::stat(folder.c_str(), &facts);
        const auto* owner = ::getpwuid(facts.st_uid);
        return owner == nullptr ? "nobody" : owner->pw_name;
    }

    static constexpr const char* program = "/usr/sbin/pgbouncer";
    scratch_directory scratch_;
    std::optional<process> pooler_;
    std::string url_;
};

TEST_F(worker_pooler, a_pool_in_transaction_mode_is_refused_by_name) {
    start_pooler("transaction");
    worker office(through_pooler());
    office.on("*", "office.all", [](const event&) {});
    try {
        office.start();
        ADD_FAILURE() << "started behind a pooler in transaction mode";
    } catch (const usage_error& problem) {
        EXPECT_NE(std::string(problem.what()).find("PgBouncer"), std::string::npos)
            << problem.what();
    }
    // Nothing of it stays on the pooled connections.
    EXPECT_EQ(value("select count(*) from pg_locks where locktype = 'advisory' and database = "
                    "(select oid from pg_database where datname = current_database())"),
              "0");
}

TEST_F(worker_pooler, a_producer_behind_a_pool_in_transaction_mode_wakes_every_worker) {
    start_pooler("transaction");
    std::vector<std::unique_ptr<worker>> workers;
    for (const auto* name : {"one", "two"}) {
        auto direct = through_pooler(name);
        direct.database = database.conninfo();
        auto& made = workers.emplace_back(std::make_unique<worker>(direct));
        made->on("*", std::string(name) + ".all", [](const event&) {});
        made->start();
    }
    pg::connection producer(url_);
    for (std::size_t n = 1; n <= 3; ++n) {
        producer.exec("select postrider.publish('a.b')");
        EXPECT_TRUE(watching->wait_runs(2 * n));
    }
}

TEST_F(worker_pooler, workers_behind_a_pool_in_session_mode_are_woken) {
    start_pooler("session");
    std::vector<std::unique_ptr<worker>> workers;
    for (const auto* name : {"one", "two"}) {
        auto& made = workers.emplace_back(std::make_unique<worker>(through_pooler(name)));
        made->on("*", std::string(name) + ".all", [](const event&) {});
        made->start();
    }
    for (std::size_t n = 1; n <= 3; ++n) {
        publish("a.b");
        EXPECT_TRUE(watching->wait_runs(2 * n));
    }
}

}  // namespace
}  // namespace postrider::test
