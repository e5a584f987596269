// No message is lost or invented, effects happen once, and retention removes only ended messages.
#include <set>

#include "chaos/check/verdict.hpp"

namespace postrider::chaos {
namespace {

effect_key effect_owed(const obligation& owed) {
    return {owed.role->consumer, owed.role->handler, owed.message->key};
}

bool was_delivered_by_a_run(const obligation& owed, const facts& from) {
    if (owed.role->transactional) {
        return from.effects.contains(effect_owed(owed));
    }
    for (const auto& run : owed.runs) {
        if (run.outcome == "delivered") {
            return true;
        }
    }
    return false;
}

// A state that retention may remove.
bool ended(const obligation& owed) {
    if (owed.delivery.empty()) {
        return false;
    }
    const auto& last = owed.delivery.back();
    const auto state = last.text("to") == "none" ? last.text("from") : last.text("to");
    return state == "delivered" || state == "failed";
}

}  // namespace

void check_publishing(const facts& from, verdict& to) {
    for (const auto& [id, message] : from.messages) {
        if (message.ended == message_fact::fate::committed && !message.in_database) {
            ++to.lost;
            to.add("I1", "message " + id + " was committed and is not in the database");
        } else if (message.ended == message_fact::fate::rolled_back && message.in_database) {
            ++to.invented;
            to.add("I1", "message " + id + " was rolled back and is in the database");
        } else if (message.in_database && !message.intended) {
            ++to.invented;
            to.add("I1", "message " + id + " is in the database and was not published");
        }
        to.published += message.in_database ? 1 : 0;
    }
    for (const auto& run : from.strange_runs) {
        ++to.invented;
        ++to.consumers[std::string(run.text("consumer"))].invented;
        to.add("I1", "handler " + std::string(run.text("handler")) + " ran message " +
                         std::string(run.text("id")) +
                         ", which was not published with this content");
    }
}

void check_states(const facts& from, verdict& to) {
    std::set<std::string> dead;
    std::set<std::string> unfinished;
    for (const auto& [name, owed] : from.obligations) {
        auto& consumer = to.consumers[owed.role->consumer];
        const auto count_lost = [&] {
            ++to.lost;
            ++consumer.lost;
        };
        to.runs += static_cast<int>(owed.runs.size());
        if (!owed.message->in_database) {
            ++consumer.lost;
            unfinished.insert(owed.message->id);
            continue;  // already reported
        }
        if (owed.shown.size() > 1) {
            to.add("I1", name + " is shown in " + std::to_string(owed.shown.size()) + " states");
        }
        const auto status = owed.shown.empty() ? std::string_view{} : owed.shown[0].text("status");
        if (status == "failed") {
            dead.insert(owed.message->id);
        } else if (status == "pending" || status == "in_flight") {
            unfinished.insert(owed.message->id);
            to.add("I6", name + " is still " + std::string(status) + " at the end of the run");
        } else if (status.empty() && owed.message->in_log && !owed.removed) {
            count_lost();
            unfinished.insert(owed.message->id);
            to.add("I1", name + " has no state");
        } else if (status.empty() && !ended(owed) && !was_delivered_by_a_run(owed, from)) {
            count_lost();
            unfinished.insert(owed.message->id);
            to.add("I10", name + " was removed before it had ended");
        } else if (status == "delivered" && !was_delivered_by_a_run(owed, from)) {
            count_lost();
            unfinished.insert(owed.message->id);
            to.add("I1", name + " is shown as delivered, but no handler has delivered it");
        }
    }
    for (const auto& id : unfinished) {
        dead.erase(id);
    }
    to.dead = static_cast<int>(dead.size());
    to.delivered = to.published;
    for (const auto& [id, message] : from.messages) {
        if (message.in_database && (dead.contains(id) || unfinished.contains(id))) {
            --to.delivered;
        }
    }
}

void check_effects(const facts& from, verdict& to) {
    std::set<effect_key> expected;
    for (const auto* some : {&from.obligations, &from.behind_broker}) {
        for (const auto& [name, owed] : *some) {
            if (owed.role->transactional && owed.message->in_database) {
                expected.insert(effect_owed(owed));
            }
        }
    }
    for (const auto& [which, times] : from.effects) {
        if (times != 1) {
            to.add("I5", which.text() + " was committed " + std::to_string(times) + " times");
        }
        if (!expected.contains(which)) {
            ++to.invented;
            ++to.consumers[which.consumer].invented;
            to.add("I5", which.text() + " is the effect of a message that was not published");
        }
    }
}

void check_retention(const facts& from, verdict& to) {
    for (const auto& [name, owed] : from.obligations) {
        for (const auto& change : owed.delivery) {
            const auto before = change.text("from");
            if (change.text("to") == "none" && before != "delivered" && before != "failed") {
                to.add("I10", name + " was removed while it was " + std::string(before));
            }
        }
        const bool shown_delivered =
            !owed.shown.empty() && owed.shown[0].text("status") == "delivered";
        if (owed.role->transactional && shown_delivered &&
            !from.handled.contains(effect_owed(owed))) {
            to.add("I10", name + " is in the outbox, but not in the inbox");
        }
    }
}

}  // namespace postrider::chaos
