#include "chaos/check/facts.hpp"

#include <algorithm>

#include "chaos/record/history.hpp"

namespace postrider::chaos {
namespace {

bool matches(const std::string& type, const std::string& pattern) {
    if (pattern.ends_with('*')) {
        return type.starts_with(pattern.substr(0, pattern.size() - 1));
    }
    return type == pattern;
}

std::string key_of(const std::string& message, const std::string& consumer,
                   const std::string& handler) {
    return message + " " + consumer + " " + handler;
}

std::string word(const record& of, std::string_view name) { return std::string(of.text(name)); }

effect_key effect_of(const record& one) {
    return {word(one, "consumer"), word(one, "handler"), word(one, "key")};
}

}  // namespace

bool role_fact::takes(const message_fact& message) const {
    return message.channel == channel && (message.target.empty() || message.target == consumer) &&
           std::ranges::any_of(types,
                               [&](const auto& pattern) { return matches(message.type, pattern); });
}

facts::facts(const std::filesystem::path& directory) {
    read_histories(directory,
                   [&](const std::string& process, record one) { take(process, std::move(one)); });
    put_together();
}

std::string facts::lease_key(const record& of) {
    return word(of, "consumer") + " " + word(of, "channel") + " " + word(of, "lease");
}

bool facts::crashed_between(instant from, instant to) const {
    return std::ranges::any_of(crashes, [&](instant at) { return at >= from && at <= to; });
}

obligation* facts::find(const std::string& message, const std::string& consumer,
                        const std::string& handler) {
    for (auto* some : {&obligations, &behind_broker}) {
        const auto found = some->find(key_of(message, consumer, handler));
        if (found != some->end()) {
            return &found->second;
        }
    }
    return nullptr;
}

void facts::take(const std::string& process, record one) {
    auto& of = processes[process];
    of.last_record_at = std::max(of.last_record_at, one.at);
    if (one.kind == "run" || one.kind == "ended") {
        take_runs(process, one);
    } else if (one.kind == "works" || one.kind == "answered" || one.kind == "state") {
        take_workers(of, one);
    } else if (one.kind == "lease_claimed") {
        lease_claims_.push_back(std::move(one));
    } else if (one.kind == "lease_changed") {
        lease_changes.push_back(std::move(one));
    } else if (one.kind == "delivery") {
        deliveries_.push_back(std::move(one));
    } else if (one.kind == "outbox") {
        outbox_.push_back(std::move(one));
    } else if (one.kind == "published") {
        auto& message = messages[word(one, "id")];
        message.in_database = true;
        message.in_log = one.number("in_log") != 0;
        message.channel = word(one, "channel");
        message.type = word(one, "type");
        message.available_at = one.number("available_at");
        message.account = word(one, "account");
        message.version = one.number("version");
        id_of_seq_[word(one, "seq")] = word(one, "id");
    } else if (one.kind == "effect_committed") {
        effects[effect_of(one)] += static_cast<int>(one.number("times"));
    } else if (one.kind == "handled") {
        handled.insert(effect_of(one));
    } else if (one.kind == "alert") {
        alerts[{word(one, "delivery"), static_cast<int>(one.number("cycle"))}] +=
            static_cast<int>(one.number("times"));
    } else {
        take_publishers(one);
        take_conductors(one);
        take_processes(one);
    }
}

void facts::take_workers(process_fact& of, const record& one) {
    if (one.kind == "works") {
        of.consumer = word(one, "consumer");
        of.channel = word(one, "channel");
        of.threads = static_cast<int>(one.number("threads"));
    } else if (one.kind == "state") {
        const auto state = one.text("state");
        if (state == "connection_lost" || state == "database_error" || state == "listener_lost" ||
            state == "deaf" || state == "stopping") {
            of.troubles.push_back(one.at);
        }
    } else if (one.text("operation") == "claim_due") {
        of.claims.push_back({one.at - one.number("took"), one.at});
    } else {
        of.signs.push_back(
            {one.at, one.number("took"), one.number("listening") != 0, one.number("keeper") != 0});
    }
}

void facts::take_publishers(const record& one) {
    if (one.kind == "intent") {
        auto& message = messages[word(one, "id")];
        message.intended = true;
        message.intended_at = one.at;
        message.type = word(one, "type");
        message.key = word(one, "key");
        message.target = word(one, "target");
        message.channel = word(one, "channel");
        if (one.has("generation")) {
            message.generation = one.number("generation");
        }
        intents_.emplace_back(word(one, "id"), word(one, "tx"));
    } else if (one.kind == "committed") {
        transactions_[word(one, "tx")] = {message_fact::fate::committed, one.at};
    } else if (one.kind == "rolled_back") {
        transactions_[word(one, "tx")] = {message_fact::fate::rolled_back, one.at};
    }
}

void facts::take_conductors(const record& one) {
    if (one.kind == "role") {
        roles.push_back({word(one, "consumer"), word(one, "handler"), word(one, "channel"),
                         one.list("types"), one.number("transactional") != 0,
                         static_cast<int>(one.number("max_attempts")),
                         static_cast<int>(one.number("max_crashes")),
                         one.number("behind_broker") != 0, one.number("ordered") != 0});
    } else if (one.kind == "begins") {
        seed = one.number("seed");
    } else if (one.kind == "bounds") {
        claim_ms = one.number("claim_ms");
        start_ms = one.number("start_ms");
        keeper_ms = one.number("keeper_ms");
        alive_ms = one.number("alive_ms");
        timeout_ms = one.number("timeout_ms");
    } else if (one.kind == "fault_began") {
        faults.resize(std::max(faults.size(), static_cast<std::size_t>(one.number("number"))));
        auto& fault = faults[static_cast<std::size_t>(one.number("number") - 1)];
        fault.name = word(one, "fault");
        fault.began = one.at;
    } else if (one.kind == "fault_ended") {
        faults.resize(std::max(faults.size(), static_cast<std::size_t>(one.number("number"))));
        faults[static_cast<std::size_t>(one.number("number") - 1)].ended = one.at;
    } else if (one.kind == "server_crashed") {
        crashes.push_back(one.at);
    } else if (one.kind == "drained") {
        drained = true;
    } else if (one.kind == "faults_over") {
        faults_over = one.at;
    }
}

void facts::take_processes(const record& one) {
    if (one.kind == "process_ended") {
        processes[word(one, "name")].status = one.number("status");
    } else if (one.kind == "hit" && one.text("target") == "broker") {
        if (one.text("action") == "SIGKILL") {
            broker_kills.push_back(one.at);
        }
    } else if (one.kind == "hit" && one.text("action") == "SIGSTOP") {
        processes[word(one, "target")].stops.push_back(one.at);
    }
}

void facts::take_runs(const std::string& process, const record& one) {
    const std::pair name(process, word(one, "run"));
    if (one.kind == "run") {
        open_runs_[name] = one;
        return;
    }
    if (const auto found = open_runs_.find(name); found != open_runs_.end()) {
        runs_.push_back({process, found->second, one});
        open_runs_.erase(found);
    }
}

void facts::put_together() {
    for (const auto& [message, transaction] : intents_) {
        if (const auto found = transactions_.find(transaction); found != transactions_.end()) {
            messages[message].ended = found->second.how;
            messages[message].ended_at = found->second.at;
            if (found->second.how == message_fact::fate::committed) {
                longest_transaction =
                    std::max(longest_transaction, found->second.at - messages[message].intended_at);
            }
        }
    }
    for (auto& [id, message] : messages) {
        message.id = id;
        if (message.key.empty()) {
            message.key = id;
        }
        if (!message.in_database && message.ended != message_fact::fate::committed) {
            continue;
        }
        for (const auto& role : roles) {
            if (role.takes(message)) {
                auto& made =
                    (role.behind_broker ? behind_broker
                                        : obligations)[key_of(id, role.consumer, role.handler)];
                made.message = &message;
                made.role = &role;
            }
        }
    }
    for (auto& [name, began] : open_runs_) {
        runs_.push_back({name.first, std::move(began), std::nullopt});
    }
    add_runs();
    add_leases();
    add_deliveries();
    for (auto& row : outbox_) {
        if (auto* owed = find(word(row, "id"), word(row, "consumer"), word(row, "handler"))) {
            owed->shown.push_back(std::move(row));
        }
    }
    sort_all();
}

void facts::add_runs() {
    for (auto& [process, began, ended] : runs_) {
        auto* owed = find(word(began, "id"), word(began, "consumer"), word(began, "handler"));
        if (owed == nullptr || word(began, "is") != word(began, "id")) {
            strange_runs.push_back(began);
            continue;
        }
        run_fact run;
        run.process = process;
        run.cycle = static_cast<int>(began.number("cycle"));
        run.began = began.at;
        if (began.has("generation")) {
            run.generation = began.number("generation");
        }
        if (ended) {
            run.ended = ended->at;
            run.outcome = word(*ended, "outcome");
        }
        owed->runs.push_back(std::move(run));
    }
    runs_.clear();
}

void facts::add_leases() {
    const auto add = [&](const record& of, const std::string& seq, const step_fact& step) {
        const auto id = id_of_seq_.find(seq);
        if (id == id_of_seq_.end()) {
            return;
        }
        for (const auto& role : roles) {
            if (role.consumer == of.text("consumer") && role.channel == of.text("channel")) {
                if (auto* owed = find(id->second, role.consumer, role.handler)) {
                    owed->steps.push_back(step);
                }
            }
        }
    };
    for (const auto& claim : lease_claims_) {
        leases[lease_key(claim)] = {word(claim, "process"), word(claim, "worker"), claim.at};
        for (const auto& seq : claim.list("members")) {
            add(claim, seq, {step_fact::kind::claimed, claim.at, word(claim, "process"), {}});
        }
    }
    for (const auto& change : lease_changes) {
        const bool reaped = change.number("reaped") != 0;
        for (const auto& seq : change.list("removed")) {
            add(change, seq,
                {reaped ? step_fact::kind::released : step_fact::kind::settled, change.at,
                 word(change, "process"), reaped ? "lease_taken_back" : ""});
        }
    }
    lease_claims_.clear();
}

void facts::add_deliveries() {
    for (auto& change : deliveries_) {
        auto* owed =
            find(word(change, "message"), word(change, "consumer"), word(change, "handler"));
        if (owed == nullptr) {
            continue;
        }
        const auto from = change.text("from");
        const auto to = change.text("to");
        const auto outcome = change.text("outcome");
        step_fact step{step_fact::kind::other, change.at, word(change, "process"), {}};
        if (to == "in_flight" && from != "in_flight") {
            step.change = step_fact::kind::claimed;
        } else if ((from == "in_flight" && (outcome == "crashed" || outcome == "interrupted")) ||
                   (from == "none" && outcome == "interrupted")) {
            step.change = step_fact::kind::released;
            step.why = change.has("error_class") ? word(change, "error_class") : "given_back";
        } else if (from == "in_flight") {
            step.change = step_fact::kind::settled;
        } else if (to == "none") {
            owed->removed = true;
        }
        owed->steps.push_back(step);
        owed->delivery.push_back(std::move(change));
    }
    deliveries_.clear();
}

void facts::sort_all() {
    std::ranges::sort(crashes);
    for (auto* some : {&obligations, &behind_broker}) {
        for (auto& [name, owed] : *some) {
            std::ranges::stable_sort(owed.runs, {}, &run_fact::began);
            std::ranges::stable_sort(owed.steps, {}, &step_fact::at);
        }
    }
}

}  // namespace postrider::chaos
