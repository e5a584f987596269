// A server refuses a worker without a sink: the worker reports it on stderr, without its password.
#include <fstream>
#include <postrider/error.hpp>

#include "fault/own_server.hpp"
#include "support/captured_stderr.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

class worker_stderr : public own_server {
  protected:
    worker_stderr() : own_server(false) {}
    void SetUp() override {
        server.start();
        prepare();
    }
};

TEST_F(worker_stderr, a_wrong_password_is_a_warning_that_does_not_show_it) {
    const auto rules_file = value("show hba_file");
    std::string rules;
    {
        std::ifstream file(rules_file);
        rules.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::ofstream(rules_file) << "local all clerk scram-sha-256\n" << rules;
    value("select pg_reload_conf()");
    pg::connection session(server.conninfo());
    session.exec("create role clerk login password 'correct horse'");
    auto refused = options();
    refused.sink = nullptr;
    refused.database += " user=clerk password='wrong horse'";
    ASSERT_TRUE(eventually([&] {
        try {
            const pg::connection too_early(refused.database);
            return false;  // the server has not read its rules yet
        } catch (const error&) {
            return true;
        }
    }));
    const captured_stderr output;
    worker office(refused);
    add_handler(office).start();
    ASSERT_TRUE(output.wait_for("\n"));
    const auto text = output.text();
    EXPECT_NE(text.find("password authentication failed for user \"clerk\""), std::string::npos)
        << text;
    EXPECT_EQ(text.find("wrong horse"), std::string::npos) << text;
}

}  // namespace
}  // namespace postrider::test
