// Promises about entries of Redis that a worker cannot take.
#include <gtest/gtest.h>

#include <postrider/source.hpp>
#include <set>

#include "relay/support/stream_peer.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// The fields make two elements each of an answer, of which a worker takes two million.
void send_too_large(stream_peer& to) {
    to.send(std::vector<std::pair<std::string, std::string>>(1'100'000, {"f", "v"}), "{}");
}

TEST(redis_source, entries_beside_one_that_is_too_large_arrive_soon_while_new_ones_come) {
    const auto peer = make_redis_stream();
    peer->open();
    std::set<std::string> missing;
    for (int i = 0; i < 20; ++i) {
        if (i == 10) {
            send_too_large(*peer);
        }
        missing.insert("m" + std::to_string(i));
        peer->send_event("m" + std::to_string(i));
    }
    const auto from = broker_source({.from = peer->url(),
                                     .stream = "S",
                                     .group = "office",
                                     .redeliver_after = 2s,
                                     .timeout = 20s});
    const auto until = clock::now() + 30s;
    for (int n = 0; !missing.empty() && clock::now() < until; ++n) {
        peer->send_event("new" + std::to_string(n));
        try {
            for (const auto& one : from->fetch(100, 20ms)) {
                missing.erase(one.id);
                from->acknowledge(std::vector{one.receipt});
            }
        } catch (const std::exception&) {
            // The answer with the large entry was given up; a worker fetches again after a pause.
        }
    }
    EXPECT_TRUE(missing.empty()) << missing.size() << " of 20 did not arrive";
}

}  // namespace
}  // namespace postrider::test
