// Request bodies that are announced and do not arrive, and requests that need no token.
#include <sys/resource.h>

#include "security/server/slow_client_fixture.hpp"

namespace postrider::test {
namespace {

class request_bodies_test : public slow_client_fixture {
  protected:
    std::string head(const std::string& path, std::size_t bytes, const std::string& token = "",
                     const std::string& more = "") const {
        return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_->port()) +
               "\r\nx-postrider: 1\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(bytes) + "\r\n" +
               (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + more + "\r\n";
    }
    /// A request whose head was accepted, and whose body has not arrived.
    std::unique_ptr<raw_connection> unfinished(const std::string& path, std::size_t bytes,
                                               const std::string& token = "") const {
        auto client = std::make_unique<raw_connection>(server_->port());
        client->send(head(path, bytes, token, "Expect: 100-continue\r\n"));
        const auto answer = client->read_until("\r\n\r\n");
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 ")) << answer;
        return client;
    }
    /// The answer to a head alone, until the server closes the connection.
    std::string refusal(const std::string& request) const {
        const raw_connection client(server_->port());
        client.send(request);
        return client.read_to_end();
    }
    reply sign_out() const { return post("/api/v1/session/end", json::object(), ""); }
};

TEST_F(request_bodies_test, a_body_that_does_not_arrive_takes_nothing_from_the_byte_budget) {
    auto settings = options();
    settings.in_flight_max = 64 << 20;
    start(settings);
    connections held;
    for (int i = 0; i < 8; ++i) {
        held.push_back(unfinished("/api/v1/replays/preview", 1 << 20, "prt_admin"));
        held.back()->send("{");
    }
    EXPECT_EQ(get("/api/v1/me").status, 200);
    EXPECT_EQ(post("/api/v1/consumers/x/pause", {{"reason", "x"}}).status, 404);
}

TEST_F(request_bodies_test, a_body_that_arrives_counts_with_the_memory_of_its_document) {
    auto settings = options();
    settings.in_flight_max = 256 << 10;
    start(settings);
    const auto pause = [&](std::size_t bytes) {
        return post("/api/v1/consumers/x/pause", {{"reason", std::string(bytes, 'x')}});
    };
    // Beyond the budget as a document, and as text before all of it has arrived.
    for (const std::size_t bytes : {20 << 10, 200 << 10}) {
        const auto refused = pause(bytes);
        EXPECT_EQ(refused.status, 503) << bytes;
        EXPECT_EQ(refused.header("Retry-After"), "5");
    }
    EXPECT_EQ(pause(100).status, 404);
}

TEST_F(request_bodies_test, millions_of_members_of_an_edit_take_no_memory) {
    start();
    const auto peak = [] {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss;
    };
    for (const std::string member : {"\"\":0", "\"reason\":0"}) {
        std::string body = "{";
        while (body.size() < 10'000'000) {
            body += member + ",";
        }
        body += "\"reason\":\"x\"}";
        const auto before = peak();
        const auto answer = refusal(
            head("/api/v1/dead-letters/1/edit", body.size(), "prt_admin", "Connection: close\r\n") +
            body);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << answer;
        EXPECT_LT(peak() - before, 60'000) << "kB";
    }
}

TEST_F(request_bodies_test, health_checks_are_answered_when_the_byte_budget_is_spent) {
    auto settings = options();
    settings.in_flight_max = 1;
    start(settings);
    EXPECT_EQ(get("/healthz", "").status, 200);
    EXPECT_EQ(get("/readyz", "").status, 200);
    EXPECT_EQ(get("/api/v1/me").status, 503);
}

TEST_F(request_bodies_test, signing_in_and_out_accepts_small_bodies_only) {
    start();
    for (const auto& request :
         {head("/api/v1/session/end", 4097), head("/api/v1/session", 4097, "prt_admin"),
          head("/api/v1/session/end", 1 << 20)}) {
        const auto answer = refusal(request);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer;
        EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
    }
    EXPECT_EQ(post("/api/v1/session", json::object()).status, 201);
    EXPECT_EQ(sign_out().status, 200);
}

TEST_F(request_bodies_test, a_body_is_asked_for_only_after_the_request_is_accepted) {
    start();
    const auto answer =
        refusal(head("/api/v1/replays/preview", 100, "prt_wrong", "Expect: 100-continue\r\n"));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ")) << answer;
}

TEST_F(request_bodies_test, unfinished_bodies_without_a_token_take_no_place_from_other_clients) {
    auto settings = options();
    settings.connections.total = 8;
    start(settings);
    connections held;
    for (int i = 0; i < 8; ++i) {
        held.push_back(unfinished("/api/v1/session/end", 2));
    }
    EXPECT_EQ(get("/api/v1/me").status, 200);
    // The one that has waited longest was closed, and the newest one was not.
    EXPECT_EQ(held.front()->read_to_end().find("200 OK"), std::string::npos);
    held.back()->send("{}");
    EXPECT_TRUE(held.back()->read_until("}").starts_with("HTTP/1.1 200"));
}

TEST_F(request_bodies_test, signing_out_counts_as_a_request_without_a_token) {
    auto settings = options();
    settings.guesses_per_s = 0.001;
    settings.guesses_burst = 3;
    start(settings);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(sign_out().status, 200);
    }
    const auto refused = sign_out();
    EXPECT_EQ(refused.status, 429);
    EXPECT_GE(std::stoi(refused.header("Retry-After")), 1);
    EXPECT_EQ(get("/api/v1/me").status, 200);
}

TEST_F(request_bodies_test, only_a_change_makes_the_server_read_the_overview_again) {
    seed();
    start();
    const auto read_at = [&] { return get("/api/v1/overview").body["at"]; };
    const auto first = read_at();
    ASSERT_TRUE(first.is_string());
    EXPECT_EQ(sign_out().status, 200);
    EXPECT_EQ(post("/api/v1/session", json::object(), token("vic", "viewer")).status, 201);
    EXPECT_EQ(read_at(), first);
    EXPECT_EQ(post("/api/v1/consumers/billing/pause", {{"reason", "x"}}).status, 200);
    EXPECT_NE(read_at(), first);
}

}  // namespace
}  // namespace postrider::test
