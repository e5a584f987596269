// The broker of a run, with the relay to it and the workers behind it.
#include <csignal>
#include <thread>

#include "chaos/broker.hpp"
#include "chaos/testbed.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

constexpr int branch_workers = 2;

}  // namespace

void testbed::open_broker() {
    broker_ = std::make_unique<embedded::broker_process>(embedded::broker_kind::nats,
                                                         options_.directory / "broker");
    broker_->start();
    make_broker_stream(broker_->url());
    broker_gate_ = std::make_unique<test::tcp_gate>("127.0.0.1:" + std::to_string(broker_->port()));
    session().exec(
        "select postrider.create_consumer('out', p_owner => 'chaos_worker');"
        "select postrider.create_consumer('branch', 'broker', p_owner => 'chaos_worker')");
    for (const auto& one : branch_roles()) {
        log_.write(to_record(one, "outbox_default"));
    }
    parts_.push_back({.name = "out-1", .consumer = std::string(relay_consumer)});
    for (int i = 1; i <= branch_workers; ++i) {
        parts_.push_back(
            {.name = "branch-" + std::to_string(i), .consumer = std::string(branch_consumer)});
    }
}

void testbed::revive_broker() {
    if (broker_->running()) {
        broker_->signal(SIGCONT);
    } else {
        broker_->start();
    }
    // A starting broker answers before it has its stream.
    for (int tries = 0; !set_broker_full(broker_full_) && tries < 20; ++tries) {
        std::this_thread::sleep_for(100ms);
    }
}

bool testbed::set_broker_full(bool full) {
    broker_full_ = full;
    return set_stream_full(broker_->url(), full);
}

std::int64_t testbed::left_in_broker() const {
    return broker_ ? left_in_stream(broker_->url()) : 0;
}

}  // namespace postrider::chaos
