#include "worker/sources/received_outcomes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "worker/sources/redelivery.hpp"

namespace postrider::working {
namespace {

bool not_started(const store::failure& one) {
    return one.how == store::outcome::interrupted && !one.handler;
}

}  // namespace

void received_outcomes::settle(worker_context& context, receiver::answers& answers,
                               unstored& failed) {
    const auto batches = context.held.received();
    for (const auto& batch : batches) {
        if (!batch->has_reports()) {
            continue;
        }
        std::map<std::int64_t, std::vector<store::failure>> failures;
        for (auto& one : batch->failures) {
            failures[one.seq].push_back(std::move(one));
        }
        auto& messages = batch->received();
        const bool late = redelivery::is_late(*batch);
        for (const auto& part : batch->finished) {
            for (int index = part.begin; index < part.end; ++index) {
                settle_one(messages.take(index), std::move(failures[index]), late, answers, failed);
            }
        }
        context.held.reported(batch);
    }
}

void received_outcomes::settle_one(received_message message, std::vector<store::failure> failures,
                                   bool late, receiver::answers& answers, unstored& failed) {
    if (failures.empty()) {
        if (!succeeded_.contains(message.event_type)) {
            succeeded_.insert(message.event_type);
        }
        answers.acknowledged.push_back(std::move(message.receipt));
        return;
    }
    if (std::ranges::all_of(failures, not_started)) {
        // Another worker may run a late one. Its broker hands it out again without an answer.
        if (!late) {
            answers.given_back.push_back(std::move(message.receipt));
        }
        return;
    }
    if (!failures.front().handler) {  // unreadable: no handler ran
        const auto how = std::move(failures.front());
        failures.clear();
        for (const auto* by : routes_[message.event_type]) {
            failures.push_back(how);
            failures.back().handler = by->name;
        }
    }
    failed.add(std::move(message), std::move(failures));
}

std::vector<std::string> received_outcomes::take_succeeded() {
    std::set<std::string> names;
    for (const auto& type : std::exchange(succeeded_, {})) {
        for (const auto* by : routes_[type]) {
            names.insert(by->name);
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace postrider::working
