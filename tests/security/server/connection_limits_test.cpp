// Connections, streams and token guesses that try to exhaust the server's limits for other clients.
#include "base/descriptor.hpp"
#include "security/server/slow_client_fixture.hpp"
#include "serve/http/connection_table.hpp"

namespace postrider::test {
namespace {

class connection_limits_test : public slow_client_fixture {
  protected:
    std::string request(const std::string& path, const std::string& token = "",
                        const std::string& more = "") const {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_->port()) +
               "\r\n" + (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n") + more +
               "\r\n";
    }
    std::unique_ptr<raw_connection> connect(const char* from = "127.0.0.1") const {
        return std::make_unique<raw_connection>(server_->port(), from);
    }
    /// One request on a connection of its own; the status of the answer.
    std::string status(const std::string& path, const std::string& token = "",
                       const char* from = "127.0.0.1", const std::string& more = "") const {
        const auto client = connect(from);
        client->send(request(path, token, "Connection: close\r\n" + more));
        const auto answer = client->read_to_end();
        return answer.empty() ? "closed" : answer.substr(9, 3);
    }
    /// A stream that has sent its first figures.
    std::unique_ptr<raw_connection> stream(const std::string& token, const char* from = "127.0.0.1",
                                           const std::string& more = "") const {
        auto client = connect(from);
        client->send(request("/api/v1/live", token, more));
        const auto answer = client->read_until("\r\n\r\n");
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
        return client;
    }
    connections streams_of(const std::vector<std::string>& tokens, int each,
                           const char* from = "127.0.0.1") const {
        connections open;
        for (const auto& one : tokens) {
            for (int i = 0; i < each; ++i) {
                open.push_back(stream(one, from));
            }
        }
        return open;
    }
    /// A connection that has sent half a request and may not be closed in favour of others.
    std::unique_ptr<raw_connection> busy(const char* from = "127.0.0.1") const {
        auto client = connect(from);
        client->send("POST /api/v1/replays/preview HTTP/1.1\r\nHost: 127.0.0.1:" +
                     std::to_string(server_->port()) +
                     "\r\nAuthorization: Bearer prt_admin\r\nx-postrider: 1\r\nContent-Type: "
                     "application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
        EXPECT_TRUE(client->read_until("\r\n\r\n").starts_with("HTTP/1.1 100"));
        return client;
    }
};

TEST_F(connection_limits_test, idle_connections_are_closed_for_new_ones_the_longest_idle_first) {
    auto settings = options();
    settings.connections.total = 20;
    start(settings);
    connections held;
    for (int i = 0; i < 20; ++i) {
        held.push_back(connect());
        held.back()->send(request("/healthz"));
        EXPECT_TRUE(held.back()->read_until("\"up\"").starts_with("HTTP/1.1 200"));
    }
    // Those of start() went first.
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(status("/api/v1/me", "prt_admin"), "200");
    }
    EXPECT_EQ(held.front()->read_to_end().find("HTTP"), std::string::npos);
    held.back()->send(request("/healthz"));
    EXPECT_TRUE(held.back()->read_until("\"up\"").starts_with("HTTP/1.1 200"));
}

TEST_F(connection_limits_test, silent_connections_take_no_place_from_those_that_ask) {
    auto settings = options();
    settings.connections.total = 16;
    start(settings);
    connections held;
    for (int i = 0; i < 100; ++i) {
        held.push_back(connect());
        if (i % 2 == 0) {
            held.back()->send("GET /healthz HT");
        }
    }
    EXPECT_EQ(status("/api/v1/me", "prt_admin"), "200");
    EXPECT_EQ(status("/healthz"), "200");
}

TEST_F(connection_limits_test, slow_readers_without_a_token_take_no_place_from_those_that_ask) {
    auto settings = options();
    settings.connections.total = 8;
    start(settings);
    std::string many;
    for (int i = 0; i < 60; ++i) {
        many += request("/api/v1/openapi.json");
    }
    connections held;
    for (int i = 0; i < 8; ++i) {
        held.push_back(std::make_unique<raw_connection>(server_->port(), "127.0.0.1", 4096));
        held.back()->send(many);
        EXPECT_TRUE(held.back()->read_until("\r\n").starts_with("HTTP/1.1 200"));
    }
    // The first one ends a connection that another answer is being written to.
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(status("/api/v1/me", "prt_admin"), "200");
    }
}

TEST_F(connection_limits_test, health_checks_are_answered_when_every_place_is_taken) {
    auto settings = options();
    settings.connections.total = 8;
    start(settings);
    auto held = streams_of({token("ann", "viewer"), token("bob", "viewer")}, 4);
    EXPECT_EQ(status("/api/v1/me", "prt_admin"), "503");
    EXPECT_EQ(status("/"), "503");
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(status("/healthz"), "200");
        EXPECT_EQ(status("/readyz"), "200");
        held.push_back(connect());  // and sends no bytes
    }
    held.clear();
    EXPECT_TRUE(eventually([&] { return status("/api/v1/me", "prt_admin") == "200"; }));
}

TEST_F(connection_limits_test, one_address_cannot_take_every_place) {
    auto settings = options();
    settings.connections.total = 20;
    settings.connections.per_address = 8;
    start(settings);
    const auto held = streams_of({token("ann", "viewer"), token("bob", "viewer")}, 4, "127.0.0.2");
    EXPECT_EQ(status("/api/v1/me", "prt_admin", "127.0.0.2"), "503");
    EXPECT_EQ(status("/healthz", "", "127.0.0.2"), "200");
    EXPECT_EQ(status("/api/v1/me", "prt_admin", "127.0.0.3"), "200");
}

TEST_F(connection_limits_test, live_streams_of_the_busiest_token_give_way_to_other_tokens) {
    auto settings = options();
    settings.connections.per_address = 12;
    start(settings);
    const auto few = streams_of({token("bob", "viewer")}, 2, "127.0.0.2");
    const auto many = streams_of({token("ann", "viewer")}, 10, "127.0.0.2");
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(status("/api/v1/me", "prt_admin", "127.0.0.2"), "200");
    }
    many.front()->read_to_end();  // the oldest one has ended
    for (const auto& one : few) {
        EXPECT_FALSE(one->read_until("event: ").empty());
        EXPECT_FALSE(one->read_until("event: ").empty()) << "it goes on";
    }
}

TEST_F(connection_limits_test, requests_of_the_busiest_token_give_way_to_other_tokens) {
    auto settings = options();
    settings.connections.per_address = 10;
    start(settings);
    const auto ann = token("ann", "viewer");
    const auto bob = token("bob", "viewer");
    session_.exec(
        "select count(postrider.publish('a', to_jsonb(n))) from generate_series(1, 1000) n");
    const auto answers_unread = [&](const std::string& by) {
        auto client = std::make_unique<raw_connection>(server_->port(), "127.0.0.2", 4096);
        std::string many;
        for (int i = 0; i < 30; ++i) {
            many += request("/api/v1/messages?limit=1000", by);
        }
        client->send(many);
        EXPECT_TRUE(client->read_until("\r\n").starts_with("HTTP/1.1 200"));
        return client;
    };
    connections held;
    held.push_back(answers_unread(bob));
    for (int i = 0; i < 9; ++i) {
        held.push_back(answers_unread(ann));
    }
    EXPECT_TRUE(
        eventually([&] { return status("/api/v1/me", "prt_admin", "127.0.0.2") == "200"; }));
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(status("/api/v1/me", "prt_admin", "127.0.0.2"), "200");
    }
    // The slow request of the token with a single connection goes on.
    std::size_t read = 0;
    for (auto part = held.front()->read_some(); !part.empty() && read < (2U << 20);
         read += part.size()) {
        part = held.front()->read_some();
    }
    EXPECT_GE(read, 2U << 20);
}

TEST_F(connection_limits_test, unfinished_requests_of_one_token_close_no_new_connection) {
    auto settings = options();
    settings.connections.per_address = 10;
    start(settings);
    connections held;
    for (int i = 0; i < 10; ++i) {
        held.push_back(busy("127.0.0.2"));
    }
    // A client far away, whose request arrives after other connections.
    const auto distant = connect("127.0.0.2");
    connections later;
    for (int i = 0; i < 3; ++i) {
        later.push_back(connect("127.0.0.2"));
    }
    distant->send(request("/api/v1/me", token("ann", "viewer")));
    EXPECT_TRUE(distant->read_until("\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(connection_limits_test, quick_requests_without_a_token_close_no_new_connection) {
    auto settings = options();
    settings.connections.per_address = 10;
    start(settings);
    connections held;
    for (int i = 0; i < 10; ++i) {
        held.push_back(connect("127.0.0.2"));
    }
    const auto refresh = [&] {
        for (const auto& one : held) {
            if (one->send(request("/healthz"))) {
                one->read_until("\"up\"");
            }
        }
    };
    refresh();
    const auto distant = connect("127.0.0.2");
    connections later;
    for (int i = 0; i < 3; ++i) {
        refresh();
        later.push_back(connect("127.0.0.2"));
    }
    distant->send(request("/api/v1/me", "prt_admin"));
    EXPECT_TRUE(distant->read_until("\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(connection_limits_test, connections_of_some_addresses_close_none_of_another) {
    auto settings = options();
    settings.connections.total = 20;
    start(settings);
    const auto distant = connect("127.0.0.9");
    connections flood;
    for (int i = 0; i < 30; ++i) {
        flood.push_back(connect(("127.0.0." + std::to_string(2 + i % 3)).c_str()));
    }
    EXPECT_TRUE(eventually([&] {
        return std::ranges::count_if(flood, [](auto& one) { return one->hears_within(0); }) > 8;
    })) << "closed in favour of later ones";
    distant->send(request("/api/v1/me", "prt_admin"));
    EXPECT_TRUE(distant->read_until("\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(connection_limits_test, one_token_cannot_take_every_place) {
    auto settings = options();
    settings.connections.per_token = 5;
    start(settings);
    const auto ann = token("ann", "viewer");
    connections held;
    for (int i = 0; i < 5; ++i) {
        held.push_back(busy(("127.0.0." + std::to_string(i + 2)).c_str()));
    }
    EXPECT_TRUE(eventually([&] { return status("/api/v1/me", "prt_admin") == "429"; }));
    EXPECT_EQ(status("/api/v1/me", ann), "200");
    // Idle ones are closed instead.
    held.clear();
    for (int i = 0; i < 10; ++i) {
        held.push_back(connect());
        held.back()->send(request("/api/v1/me", ann));
        EXPECT_TRUE(held.back()->read_until("}").starts_with("HTTP/1.1 200"));
    }
}

TEST_F(connection_limits_test, live_streams_are_limited_per_token_per_address_and_in_total) {
    auto settings = options();
    settings.connections.streams = 6;
    settings.connections.streams_per_address = 4;
    settings.connections.streams_per_token = 3;
    start(settings);
    const auto ann = token("ann", "viewer");
    const auto bob = token("bob", "viewer");
    connections open;
    for (int i = 0; i < 3; ++i) {
        open.push_back(stream(ann, "127.0.0.2"));
    }
    EXPECT_EQ(status("/api/v1/live", ann, "127.0.0.3"), "429");
    open.push_back(stream(bob, "127.0.0.2"));
    EXPECT_EQ(status("/api/v1/live", bob, "127.0.0.2"), "429");
    open.push_back(stream(bob, "127.0.0.3"));
    open.push_back(stream(bob, "127.0.0.3"));
    EXPECT_EQ(status("/api/v1/live", "prt_admin", "127.0.0.4"), "429");
    EXPECT_EQ(status("/api/v1/me", ann, "127.0.0.2"), "200");
    open.clear();
    EXPECT_TRUE(eventually([&] {
        auto client = connect("127.0.0.2");
        client->send(request("/api/v1/live", ann));
        return client->read_until("\r\n\r\n").starts_with("HTTP/1.1 200");
    }));
}

TEST_F(connection_limits_test, behind_a_trusted_proxy_limits_apply_to_the_clients_it_names) {
    auto settings = options();
    settings.connections.per_address = 4;
    settings.connections.streams_per_address = 1;
    settings.connections.trusted_proxies = {"127.0.0.9"};
    start(settings);
    connections held;
    for (int i = 0; i < 10; ++i) {
        held.push_back(busy("127.0.0.9"));
    }
    held.push_back(stream("prt_admin", "127.0.0.9", "X-Forwarded-For: 6.6.6.6, 10.0.0.1\r\n"));
    held.push_back(stream("prt_admin", "127.0.0.9", "X-Forwarded-For: 10.0.0.2\r\n"));
    const std::string again = "X-Forwarded-For: 7.7.7.7, 10.0.0.1\r\n";
    EXPECT_EQ(status("/api/v1/live", "prt_admin", "127.0.0.9", again), "429");
    // The proxy may add a line of its own, and a port.
    const std::string lines = "X-Forwarded-For: 7.7.7.7\r\nX-Forwarded-For: 10.0.0.1:5123\r\n";
    EXPECT_EQ(status("/api/v1/live", "prt_admin", "127.0.0.9", lines), "429");
    // The header of an address that is no proxy is ignored.
    held.push_back(stream("prt_admin", "127.0.0.5", "X-Forwarded-For: 10.0.0.3\r\n"));
    EXPECT_EQ(status("/api/v1/live", "prt_admin", "127.0.0.5", "X-Forwarded-For: 10.0.0.4\r\n"),
              "429");
}

TEST_F(connection_limits_test, a_guessed_token_is_refused_before_the_database_is_asked) {
    auto settings = options();
    settings.guesses_per_s = 0.001;
    start(settings);
    const auto ann = token("ann", "viewer");
    EXPECT_EQ(status("/api/v1/me", ann), "200");
    for (int i = 0; i < 40; ++i) {
        status("/api/v1/me", "prt_guess" + std::to_string(i));
    }
    EXPECT_EQ(status("/api/v1/me", "prt_guess"), "429");
    // Even for a valid token: the database is not queried.
    EXPECT_EQ(status("/api/v1/me", token("bob", "viewer")), "429");
    // A token that was valid before is not locked out by guesses from its address.
    EXPECT_EQ(status("/api/v1/me", ann), "200");
    EXPECT_EQ(status("/api/v1/me", "prt_admin"), "200");
    EXPECT_EQ(status("/api/v1/me", token("cid", "viewer"), "127.0.0.7"), "200");
}

TEST_F(connection_limits_test, guesses_from_many_addresses_are_limited_together) {
    auto settings = options();
    settings.lookups_per_s = 0.001;
    start(settings);
    const auto guess = serve::make_token();  // not stored
    int asked = 0;
    for (int i = 0; i < 200; ++i) {
        const auto from =
            "127.0." + std::to_string(1 + i / 100) + "." + std::to_string(1 + i % 100);
        asked += status("/api/v1/me", guess, from.c_str()) == "401" ? 1 : 0;
    }
    EXPECT_EQ(asked, 100);
    EXPECT_EQ(status("/api/v1/me", "prt_admin"), "200");
}

TEST(connection_table_test, closed_connections_whose_threads_are_busy_are_limited_too) {
    serve::connection_table table({.total = 100, .per_address = 2});
    const descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
    std::vector<std::unique_ptr<serve::connection_table::seat>> seats;
    const auto admitted = [&](const std::string& address) {
        seats.push_back(table.admit(socket.get(), address));
        return seats.back() != nullptr && !seats.back()->health_only();
    };
    for (int i = 0; i < 66; ++i) {
        EXPECT_TRUE(admitted("192.0.2.1")) << i;
    }
    EXPECT_FALSE(admitted("192.0.2.1"));
    EXPECT_TRUE(admitted("192.0.2.2"));
    seats.erase(seats.begin());
    EXPECT_TRUE(admitted("192.0.2.1"));
}

TEST(connection_table_test, closed_connections_whose_threads_are_busy_count_for_their_token) {
    using verdict = serve::connection_table::verdict;
    serve::connection_table table({.total = 5, .per_token = 5});
    const descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
    std::vector<std::unique_ptr<serve::connection_table::seat>> seats;
    const auto asks = [&] {
        seats.push_back(table.admit(socket.get(), "192.0.2.1"));
        EXPECT_TRUE(seats.back()->begin_request());
        return seats.back()->set_token("ann");
    };
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(asks(), verdict::allowed);
    }
    EXPECT_EQ(asks(), verdict::token_full);
    EXPECT_FALSE(seats.front()->begin_request()) << "it was closed for the new one";
    seats.erase(seats.begin());
    EXPECT_EQ(seats.back()->set_token("ann"), verdict::allowed);
}

TEST(connection_table_test, a_first_request_is_not_closed_before_its_token_is_known) {
    serve::connection_table table({.total = 4});
    const descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
    std::vector<std::unique_ptr<serve::connection_table::seat>> seats;
    for (int i = 0; i < 4; ++i) {
        seats.push_back(table.admit(socket.get(), "192.0.2.1"));
        EXPECT_TRUE(seats.back()->begin_request());
        if (i > 0) {
            seats.back()->begin_waiting();  // after its answer
        }
    }
    seats.push_back(table.admit(socket.get(), "192.0.2.1"));
    EXPECT_FALSE(seats[1]->begin_request());
    EXPECT_TRUE(seats[0]->begin_request());
}

TEST(address_group_test, one_network_of_ipv6_counts_as_one_address) {
    using serve::address_group;
    EXPECT_EQ(address_group("2001:db8:1:2:3:4:5:6"), address_group("2001:db8:1:2::1"));
    EXPECT_NE(address_group("2001:db8:1:2::1"), address_group("2001:db8:1:3::1"));
    EXPECT_EQ(address_group("10.0.0.1"), "10.0.0.1");
    EXPECT_EQ(serve::plain_address("::ffff:10.0.0.1"), "10.0.0.1");
}

}  // namespace
}  // namespace postrider::test
