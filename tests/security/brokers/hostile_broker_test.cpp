// A broken or hostile broker: relays and workers go on within their limits of memory and time, and
// accept only valid acknowledgements.
#include <gtest/gtest.h>

#include <postrider/relay.hpp>
#include <postrider/source.hpp>

#include "relay/publisher.hpp"
#include "relay/support/sample_message.hpp"
#include "security/brokers/hostile_server.hpp"

namespace postrider::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr auto call_timeout = milliseconds(300);
// On a machine with other work.
constexpr auto soon = seconds(20);

const std::string script_loaded = "$40\r\n" + std::string(40, 'a') + "\r\n";
const std::string group_made = "+OK\r\n";
const std::string none_lost = "*3\r\n$3\r\n0-0\r\n*0\r\n*0\r\n";

/// Answers one command after the other, and the last one as `attack` does.
std::function<void(const hostile_peer&)> redis_that(
    std::vector<std::string> answers, std::function<void(const hostile_peer&)> attack) {
    return [answers, attack](const hostile_peer& peer) {
        for (const auto& one : answers) {
            if (peer.receive().empty() || !peer.send(one)) {
                return;
            }
        }
        peer.receive();
        attack(peer);
        while (!peer.receive().empty()) {
        }
    };
}

std::unique_ptr<relaying::publisher> redis_publisher(const hostile_server& at) {
    return relaying::redis_target(relaying::parse_relay_url("redis://" + at.address()),
                                  {.destination = "orders", .timeout = call_timeout})
        ->open();
}

std::shared_ptr<source> source_at(const std::string& scheme, const hostile_server& at) {
    return broker_source({.from = scheme + at.address(),
                          .stream = "orders",
                          .group = "billing",
                          .timeout = call_timeout});
}

TEST(hostile_broker, redis_answers_that_never_end_are_given_up_in_time) {
    const std::vector<std::function<void(const hostile_peer&)>> attacks{
        [](const hostile_peer& peer) {
            peer.send("*1\r\n$100000\r\n");
            peer.send_forever("x", milliseconds(50));
        },
        [](const hostile_peer& peer) { peer.send_forever("-ERR " + std::string(10'000, 'e')); }};
    for (const auto& attack : attacks) {
        const hostile_server server(redis_that({script_loaded}, attack));
        const auto began = steady_clock::now();
        const auto ended =
            redis_publisher(server)->publish(sample_message("orders").only(), {}).front();
        EXPECT_EQ(ended.error_class, relaying::unavailable_class) << ended.error;
        EXPECT_LT(steady_clock::now() - began, soon);
    }
}

TEST(hostile_broker, only_an_answer_for_each_message_acknowledges_it) {
    for (const auto* answer : {"$3\r\n1-1\r\n", "*0\r\n", "*2\r\n$3\r\n1-1\r\n$3\r\n1-2\r\n",
                               "*1\r\n:1\r\n", "*1\r\n$-1\r\n", "*-1\r\n", "+OK\r\n"}) {
        const hostile_server server(
            redis_that({script_loaded}, [&](const hostile_peer& peer) { peer.send(answer); }));
        EXPECT_FALSE(
            redis_publisher(server)->publish(sample_message("orders").only(), {}).front().ok())
            << answer;
    }
    // Unrequested answers do not count for the next message.
    const hostile_server server(redis_that({script_loaded}, [](const hostile_peer& peer) {
        peer.send("*1\r\n$3\r\n1-1\r\n*1\r\n$3\r\n1-2\r\n");
    }));
    const auto by = redis_publisher(server);
    EXPECT_TRUE(by->publish(sample_message("orders").only(), {}).front().ok());
    EXPECT_FALSE(by->publish(sample_message("orders", 2).only(), {}).front().ok());
}

TEST(hostile_broker, a_worker_gives_up_an_endless_message_of_redis) {
    const std::string head =
        "*1\r\n*2\r\n$6\r\norders\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*2\r\n$4\r\ndata\r\n";
    const hostile_server dripping(
        redis_that({group_made, none_lost}, [&](const hostile_peer& peer) {
            peer.send(head + "$100000\r\n");
            peer.send_forever("x", milliseconds(50));
        }));
    const auto began = steady_clock::now();
    EXPECT_THROW(source_at("redis://", dripping)->fetch(10, milliseconds(10)), std::exception);
    EXPECT_LT(steady_clock::now() - began, soon);
    const hostile_server pouring(redis_that({group_made, none_lost}, [&](const hostile_peer& peer) {
        peer.send(head + "$500000000000\r\n");
        peer.send_forever(std::string(1 << 20, 'x'));
    }));
    try {
        source_at("redis://", pouring)->fetch(10, milliseconds(10));
        FAIL();
    } catch (const std::exception& problem) {
        EXPECT_NE(std::string(problem.what()).find("268435456"), std::string::npos)
            << problem.what();
    }
}

// Each element takes many times as much memory as on the wire, and hiredis allocates an array
// before its elements arrive.
TEST(hostile_broker, an_answer_of_redis_with_too_many_elements_is_given_up) {
    for (const auto* answer :
         {"*2147483647\r\n", "*66000000\r\n:1\r\n", "*1000000\r\n*1000000\r\n*1000000\r\n"}) {
        const auto attack = [&](const hostile_peer& peer) { peer.send(answer); };
        const hostile_server target(redis_that({script_loaded}, attack));
        const auto ended =
            redis_publisher(target)->publish(sample_message("orders").only(), {}).front();
        EXPECT_EQ(ended.error_class, relaying::unavailable_class);
        EXPECT_NE(ended.error.find("more than 2097152 elements"), std::string::npos) << ended.error;
        const hostile_server stream(redis_that({group_made, none_lost}, attack));
        try {
            source_at("redis://", stream)->fetch(10, milliseconds(10));
            ADD_FAILURE() << "the worker took the answer";
        } catch (const std::exception& problem) {
            EXPECT_NE(std::string(problem.what()).find("more than 2097152 elements"),
                      std::string::npos)
                << problem.what();
        }
    }
}

/// Implements as much of the NATS protocol as a worker needs, then calls `attack` with the number
/// of the subscription.
void talk_nats(const hostile_peer& peer, const std::function<void(const std::string&)>& attack) {
    peer.send(
        "INFO {\"server_id\":\"x\",\"version\":\"2.9.0\",\"max_payload\":1048576,"
        "\"headers\":true,\"proto\":1}\r\n");
    std::string text;
    std::string number;  // of the newest subscription
    for (auto more = peer.receive(); !more.empty(); more = peer.receive()) {
        text += more;
        for (auto end = text.find("\r\n"); end != std::string::npos; end = text.find("\r\n")) {
            const auto line = text.substr(0, end);
            text.erase(0, end + 2);
            const auto word = [&](int n) {
                std::size_t from = 0;
                while (n-- > 0) {
                    from = line.find(' ', from) + 1;
                }
                return line.substr(from, line.find(' ', from) - from);
            };
            if (line.starts_with("PING")) {
                peer.send("PONG\r\n");
            } else if (line.starts_with("SUB")) {
                number = line.substr(line.rfind(' ') + 1);
            } else if (line.find("CONSUMER.INFO") != std::string::npos) {
                const std::string info =
                    R"({"stream_name":"orders","name":"billing","config":{"durable_name":"billing",)"
                    R"("ack_policy":"explicit","ack_wait":30000000000}})";
                peer.send("MSG " + word(2) + " " + number + " " + std::to_string(info.size()) +
                          "\r\n" + info + "\r\n");
            } else if (line.find("MSG.NEXT") != std::string::npos) {
                attack(number);
            }
        }
    }
}

const std::string nats_receipt = " $JS.ACK.orders.billing.1.1.1.1700000000000000000.0 ";

void flood_of_nats(const hostile_peer& peer) {
    talk_nats(peer, [&](const std::string& number) {
        peer.send_forever("MSG a " + number + nats_receipt + "2\r\n{}\r\n");
    });
}

TEST(hostile_broker, a_flood_of_nats_messages_is_taken_in_the_pieces_that_were_asked_for) {
    const hostile_server server(flood_of_nats);
    const auto from = source_at("nats://", server);
    for (int i = 0; i < 3; ++i) {
        EXPECT_LE(from->fetch(10, seconds(5)).size(), 10U);
    }
    from->close();
}

TEST(hostile_broker, a_source_is_closed_while_messages_of_nats_arrive) {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 12; ++i) {
        workers.emplace_back([] {
            const hostile_server server(flood_of_nats);
            const auto from = source_at("nats://", server);
            EXPECT_LE(from->fetch(10, seconds(5)).size(), 10U);
            from->close();
        });
    }
}

TEST(hostile_broker, a_message_of_nats_without_end_is_given_up) {
    constexpr std::size_t piece = 1 << 20;
    // More arrives until the guard checks again.
    constexpr std::size_t sent_max = std::size_t{1} << 30U;
    for (const std::string start : {"MSG a ", "-ERR '"}) {
        std::atomic<std::size_t> sent = 0;
        const hostile_server server([&](const hostile_peer& peer) {
            talk_nats(peer, [&](const std::string& number) {
                peer.send(start.starts_with("MSG")
                              ? start + number + nats_receipt + "2000000000\r\n"
                              : start);
                while (peer.send(std::string(piece, 'x'))) {
                    sent += piece;
                }
            });
        });
        const auto from = source_at("nats://", server);
        EXPECT_THROW(
            {
                for (const auto until = steady_clock::now() + soon; steady_clock::now() < until;) {
                    EXPECT_TRUE(from->fetch(10, milliseconds(100)).empty());
                }
            },
            std::exception)
            << start;
        EXPECT_LT(sent, sent_max) << start;
        from->close();
    }
}

}  // namespace
}  // namespace postrider::test
