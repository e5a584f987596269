// A handler that calls an unreliable service: when to retry, when to fail for good, and how to
// report it. Lists the remaining dead letters at the end.
//
//   retrying [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

using namespace std::chrono_literals;

namespace {

struct rate_limited : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct unknown_customer : postrider::terminal_error {
    using terminal_error::terminal_error;
};

// Answers differently to each kind of payment; to the slow one at the third attempt.
void charge(std::string_view payload, int attempts) {
    if (payload.find("unknown") != std::string_view::npos) {
        throw unknown_customer("no such customer");  // terminal: a retry would fail as well
    }
    if (payload.find("slow") != std::string_view::npos && attempts < 3) {
        throw std::runtime_error("the bank did not answer");  // retried as the policy says
    }
    if (payload.find("greedy") != std::string_view::npos && attempts == 1) {
        throw rate_limited("too many requests");
    }
}

void publish_payments(const std::string& address) {
    postrider::connection database(address);
    postrider::transaction work(database);
    for (const auto* customer : {"fine", "slow", "greedy", "unknown"}) {
        postrider::publish(work, {.event_type = "payment.requested",
                                  .payload = std::string(R"({"customer": ")") + customer + R"("})",
                                  .source = "shop"});
    }
    work.commit();
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    postrider::worker worker{{.database = address, .consumer = "bank", .concurrency = 4}};
    worker.on(
        "payment.requested", "bank.charge",
        [](const postrider::event& e, postrider::context& ctx) -> postrider::outcome {
            try {
                charge(e.payload(), ctx.attempts());
                return postrider::delivered();
            } catch (const rate_limited& asked) {
                return postrider::retry_after(50ms, asked.what());  // the partner's delay
            }
        },
        {.retry = {.curve = postrider::curve::exponential, .base = 20ms, .cap = 1s, .floor = 1ms},
         .max_attempts = 5,
         .timeout = 10s});
    worker.drain();
    publish_payments(address);

    int runs = 0;
    while (runs < 7) {  // 1 fine, 3 slow, 2 greedy, 1 unknown
        runs += worker.drain();
    }

    postrider::connection database(address);
    postrider::transaction look(database);
    const auto dead = look.exec(
        "select payload ->> 'customer', last_error from postrider.outbox"
        " where status = 'failed' and deleted_at is null");
    for (int row = 0; row < dead.size(); ++row) {
        std::cout << dead.text(row, 0) << ": " << dead.text(row, 1) << '\n';
    }
    return dead.size() == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
