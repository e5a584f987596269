#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "e2e/program.hpp"
#include "serve/serve_fixture.hpp"

// The commands `serve` and `token`.
namespace postrider::test {
namespace {

class token_test : public serve_fixture {
  protected:
    token_test() { postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo()); }

    static std::string word_after(const std::string& line, const std::string& text) {
        const auto begin = line.find(text) + text.size();
        return line.substr(begin, line.find_first_of(" \n\"", begin) - begin);
    }
    static int status(int port, const std::string& path, const std::string& token) {
        httplib::Client http("127.0.0.1", port);
        return reply_of(http.Get(path, bearer(token))).status;
    }
    program postrider_;
};

TEST_F(token_test, a_token_is_made_used_listed_and_revoked) {
    const auto made = postrider_.run({"token", "create", "ann", "--role", "operator",
                                      "--expires-in", "1d", "--reason", "on call"});
    ASSERT_EQ(made.status, 0) << made.output;
    const auto secret = made.output.substr(0, made.output.find('\n'));
    start();
    EXPECT_EQ(get("/api/v1/me", secret).body["role"], "operator");
    const auto listed = postrider_.run({"token", "list", "--json"});
    EXPECT_NE(listed.output.find("\"name\":\"ann\""), std::string::npos) << listed.output;
    EXPECT_EQ(listed.output.find(secret), std::string::npos);
    EXPECT_EQ(postrider_.run({"token", "create", "ann", "--reason", "twice"}).status, 1);
    EXPECT_EQ(
        postrider_.run({"token", "create", "bob", "--workspace", "x", "--reason", "y"}).status, 64);
    EXPECT_EQ(postrider_.run({"token", "revoke", "ann", "--reason", "left"}).status, 0);
    EXPECT_TRUE(eventually([&] { return get("/api/v1/me", secret).status == 401; }));
    EXPECT_EQ(postrider_.run({"token", "revoke", "ann", "--reason", "left"}).status, 66);
    EXPECT_EQ(value("select string_agg(action, ' ' order by audit) from postrider.audits"),
              "create_token revoke_token");
}

TEST_F(token_test, the_link_that_is_printed_opens_the_page_and_no_other_does) {
    process running(program::command({"serve", "--port", "0"}), postrider_.variables());
    const auto line = running.wait_for_line("open http://127.0.0.1:");
    const auto port = std::stoi(word_after(line, "127.0.0.1:"));
    const auto secret = word_after(line, "#token=");
    EXPECT_EQ(status(port, "/", ""), 200);
    EXPECT_TRUE(eventually([&] { return status(port, "/api/v1/overview", secret) == 200; }));
    EXPECT_EQ(status(port, "/api/v1/me", secret + "x"), 401);
    EXPECT_EQ(value("select count(*) from postrider.access_token"), "0");
    running.kill(SIGTERM);
    EXPECT_EQ(running.wait(), 0);
    EXPECT_EQ(running.output().find(secret), running.output().rfind(secret));
}

TEST_F(token_test, a_token_file_is_for_its_owner_only) {
    const auto file = postrider_.home() / "token";
    process running(
        program::command({"serve", "--json", "--port", "0", "--token-file", file.string()}),
        postrider_.variables());
    const auto line = running.wait_for_line("\"url\"");
    std::string secret;
    std::ifstream(file) >> secret;
    struct stat about {};
    ASSERT_EQ(::stat(file.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0600U);
    EXPECT_EQ(line.find(secret), std::string::npos);
    EXPECT_EQ(status(json::parse(line)["port"], "/api/v1/me", secret), 200);
    running.kill(SIGTERM);
    EXPECT_EQ(running.wait(), 0);
}

TEST_F(token_test, an_address_that_others_can_reach_is_refused) {
    const auto refused = postrider_.run({"serve", "--address", "0.0.0.0", "--port", "0"});
    EXPECT_EQ(refused.status, 78) << refused.output;
    EXPECT_NE(refused.output.find("--tls-cert"), std::string::npos) << refused.output;
}

}  // namespace
}  // namespace postrider::test
