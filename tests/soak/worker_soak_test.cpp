// Workers under load on a network with random faults.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "fault/worker_under_fault.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_soak : public worker_under_fault {
  protected:
    static unsigned seed() {
        const char* value = std::getenv("POSTRIDER_SEED");
        return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10))
                                : std::random_device{}();
    }
    // Dying of the network is no fault of a message here.
    static handler_options patient() {
        auto made = soon();
        made.max_attempts = 1000;
        made.max_crashes = 1000;
        return made;
    }
    std::unique_ptr<worker> make() {
        auto made = std::make_unique<worker>(behind_gate());
        made->on(
            "plain.*", "office.plain", [this](const event& e) { note(e); }, patient());
        made->on("book.*", "office.book", book, patient());
        return made;
    }
    int roll(int below) { return std::uniform_int_distribution(0, below - 1)(random_); }
    void misbehave() {
        switch (roll(9)) {
            case 0:
                return gate.cut();
            case 1:
                return gate.half_open();
            case 2:
                return gate.hold();
            case 3:
                return gate.delay(std::chrono::milliseconds(roll(60)));
            case 4:
                return gate.small_parts(20 + static_cast<std::size_t>(roll(200)));
            case 5:
                return gate.refuse();
            case 6:
                return gate.swallow_next("COMMIT");
            case 7:
                return gate.swallow_next("SELECT");
            default:
                return gate.pass();
        }
    }

    std::mt19937 random_;
};

TEST_F(worker_soak, no_message_is_lost_by_any_fault_of_the_network) {
    constexpr int of_each = 5000;
    constexpr int part = 50;
    const auto chosen = seed();
    std::cout << "POSTRIDER_SEED=" << chosen << std::endl;
    random_.seed(chosen);
    const auto first = make();
    const auto second = make();
    first->start();
    second->start();
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (published_ < of_each || std::chrono::steady_clock::now() < end) {
        if (published_ < of_each) {
            publish_some(part);
        }
        misbehave();
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + roll(160)));
        if (roll(2) == 0) {
            gate.pass();
        }
    }
    gate.pass();
    expect_all_delivered(120s);
    expect_recovery(60s);
    std::cout << repeated() << " of " << published_ << " plain messages ran more than once, "
              << gate.counts().accepted << " connections" << std::endl;
}

}  // namespace
}  // namespace postrider::test
