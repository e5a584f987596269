#include "worker/sources/redelivery.hpp"

#include <algorithm>

namespace postrider::working {
namespace {

// The broker hands out a message again after three intervals. One interval is left for the time
// that the message or the keep-alive took on its way.
clock::time_point begin_before(clock::time_point since, clock::duration interval) {
    return since + 2 * interval;
}

}  // namespace

void redelivery::begin(held_batch& batch, clock::time_point since, clock::duration interval) {
    batch.begin_before = begin_before(since, interval);
    // The interval is known from the first answer of the broker on.
    next_at_ = std::min(next_at_, clock::now() + interval);
}

// A process that was stopped for a long time has lost its messages, although the broker accepts a
// late keep-alive. Those that have not started are left to the broker.
void redelivery::extended(worker_context& context, clock::time_point since,
                          clock::duration interval) {
    const auto batches = context.held.received();
    for (const auto& batch : batches) {
        if (is_late(*batch)) {
            context.give_back(context.threads->withdraw(batch.get()), clock::now());
        } else {
            batch->begin_before =
                std::max(batch->begin_before.load(), begin_before(since, interval));
        }
    }
}

bool redelivery::is_late(const held_batch& batch) {
    return clock::now() >= batch.begin_before.load();
}

std::optional<receiver::receipts> redelivery::due(const worker_context& context,
                                                  clock::time_point now, clock::duration interval) {
    if (now < next_at_) {
        return std::nullopt;
    }
    next_at_ = now + interval;
    receiver::receipts named;
    for (const auto& batch : context.held.received()) {
        const auto& messages = batch->received();
        for (int index = 0; !batch->overdue && index < messages.size(); ++index) {
            if (!messages.settled(index)) {
                named.push_back(messages[index].receipt);
            }
        }
    }
    return named;
}

}  // namespace postrider::working
