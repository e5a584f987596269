#include "bench/lab/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/json/json.hpp"

namespace postrider::bench {

const std::vector<report::goal>& report::goals() {
    using enum better;
    static const std::vector<goal> all{
        {"node_per_s", higher, 20'000, "messages a second of two Node.js children"},
        {"python_per_s", higher, 20'000, "messages a second of two Python children"},
        {"node_over_best_peer", higher, 1, "two Node.js children, times the best peer's Node.js"},
        {"limited_over_free", higher, 0.8, "drain with a limit that cannot bind, times without"},
        {"double_slots", lower, 0, "runs beyond a limit"},
        {"drain_ratio_1000", higher, 15, "drain in batches of 1000, times the classic queue"},
        {"drain_ratio_100", higher, 12, "drain in batches of 100, times the classic queue"},
        {"drain_ratio_10", higher, 4, "drain in batches of 10, 8 connections, times classic"},
        {"targeted_cost", lower, 1.5, "a message to one consumer by name, times any other"},
        {"lacking_cost", lower, 10, "a message while a worker lacks a handler, times otherwise"},
        {"wal_bytes_per_consumed", lower, 20, "bytes of WAL to consume a message"},
        {"dead_tuples_per_consumed", lower, 0.05, "row versions left behind to consume a message"},
        {"pinned_last_over_first", higher, 0.9, "speed kept while an old transaction stays open"},
        {"claim_p99_10m_over_10k", lower, 1.3, "claim p99 with a large backlog, times a small one"},
        {"publish_over_plain", higher, 0.85, "publishing, share of a plain table's speed"},
        {"publish_over_plain_open", higher, 0.85, "the same beside a transaction left open"},
        {"publish_over_notify", higher, 2, "publishing, times NOTIFY in every commit"},
        {"wake_p50_ms", lower, 1, "commit to claim with a sleeping consumer, median ms"},
        {"wake_p99_ms", lower, 4, "commit to claim with a sleeping consumer, p99 ms"},
        {"wake_many_p99_ms", lower, 50,
         "the slowest of three consumers, transactions of 20 ms, ms"},
        {"wake_many_open_p99_ms", lower, 100, "the same beside three transactions left open, ms"},
        {"wake_many_p50_over_always", lower, 1.3, "the slowest of eight, times NOTIFY always"},
        {"copy_over_bare", higher, 0.6, "bulk load, share of a bare heap's speed"},
        {"worker_over_engine", higher, 0.6, "no-op handlers, share of the raw drain's speed"},
        {"worker_messages_per_s", higher, 150'000, "messages a second with a no-op handler"},
        {"dispatch_us", lower, 2, "microseconds from a claimed row to a handler and back"},
        {"latency_p50_ms", lower, 1, "commit to handler at 200 messages a second, median ms"},
        {"latency_p99_ms", lower, 4, "commit to handler at 200 messages a second, p99 ms"},
        {"idle_queries_per_s", lower, 1, "statements of a worker that has nothing to do"},
        {"rss_mib_10k", lower, 64, "resident MiB with 10,000 messages in flight"},
        {"failure_us", lower, 100, "microseconds that one failure of ten in a batch costs"},
        {"replay_per_s", higher, 5000, "dead letters replayed per second, of 10,000"},
        {"replay_rate_error", lower, 0.05, "how far a replay is from the rate asked for"},
        {"priority_over_best_peer", higher, 1.5, "messages with priorities, times the best peer"},
        {"scheduled_over_best_peer", higher, 1.5, "messages due at one instant, times the best"},
        {"lateness_p99_ms", lower, 50, "after the due time at 1,000 messages a second, p99 ms"},
        {"retry_over_best_peer", higher, 1, "messages that fail once, times the best peer"},
        {"replay_handled_per_s", higher, 8000, "dead letters replayed and handled per second"},
        {"replay_handled_over_replay", higher, 0.6, "the same, share of replaying alone"},
        {"overtake_ms", lower, 100, "an urgent message behind a backlog, commit to handler, ms"},
        {"behind_delayed_ms", lower, 100, "a message behind many that are due later, ms"},
        {"due_p99_10m_over_10k", lower, 1.3, "claim p99 beside many waiting, times few"},
        {"schedule_lateness_p99_ms", lower, 100, "10,000 schedules, slot to handler, p99 ms"},
        {"schedule_idle_queries_per_s", lower, 1, "calls of three workers while no slot is due"},
        {"double_fires", lower, 0, "slots that fired twice beside ended sessions"},
        {"unique_over_plain", higher, 0.6, "unique jobs published, share of plain messages"},
        {"relay_nats_over_bare", higher, 0.7, "relay to NATS, share of a bare client's speed"},
        {"relay_redis_over_bare", higher, 0.7, "relay to Redis, share of a bare client's speed"},
        {"relay_kafka_over_bare", higher, 0.7, "relay to Kafka, share of a bare client's speed"},
        {"relay_latency_p50_ms", lower, 3, "commit to a consumer behind a relay at 200/s, ms"},
        {"nats_worker_over_bare", higher, 0.6, "worker on NATS, share of a bare consumer's speed"},
        {"redis_worker_over_bare", higher, 0.6, "worker on Redis, share of a bare consumer's"},
        {"broker_db_statements_per_message", lower, 0.01, "statements of a worker on NATS"},
        {"dead_letters_page_ms", lower, 50, "first page of very many dead letters, ms"},
        {"dead_letters_groups_ms", lower, 500, "groups of very many dead letters, ms"},
        {"overview_ms", lower, 100, "the page's overview, ms until the answer"},
        {"dead_letters_ms", lower, 100, "the slowest list of dead letters, ms"},
        {"groups_ms", lower, 100, "groups of dead letters on the page, ms"},
        {"group_ms", lower, 100, "the dead letters of the largest group, ms"},
        {"letter_ms", lower, 100, "one dead letter, ms"},
        {"preview_ms", lower, 100, "the slowest preview of a replay, ms"},
        {"other_slowest_ms", lower, 1000, "the slowest of everything else on the page, ms"},
        {"page_cold_ms", lower, 500, "the page in a browser without a cache, ms until painted"},
        {"page_warm_ms", lower, 200, "the page in a second tab, ms until painted"},
        {"page_requests_warm", lower, 5, "requests of the second tab until figures are live"},
        {"large_answer_ms", lower, 150, "an answer of 1 MB, ms until it is there"},
        {"viewers_200_db_core_share", lower, 0.05, "share of a core, in the database, of viewers"},
        {"drain_with_page_over_without", higher, 0.98, "draining kept while the page is open"},
        {"publish_with_page_over_without", higher, 0.98, "publishing kept while it is open"},
    };
    return all;
}

void report::add(const std::string& key, double value) { entries_.push_back({key, value, {}}); }

void report::add_text(const std::string& key, const std::string& value) {
    entries_.push_back({key, 0, value});
}

const report::entry* report::find(const std::string& key) const {
    const auto found = std::ranges::find(entries_, key, &entry::key);
    return found == entries_.end() ? nullptr : &*found;
}

void report::print_table() const {
    fmt::print("\n{:<31} {:>10}  {:>8}  {:<5} {}\n", "measure", "value", "target", "", "");
    for (const auto& wanted : goals()) {
        const auto* measured = find(wanted.key);
        if (measured == nullptr) {
            continue;
        }
        const bool up = wanted.direction == better::higher;
        const bool reached =
            up ? measured->value >= wanted.target : measured->value <= wanted.target;
        fmt::print("{:<31} {:>10.3f}  {} {:>5}  {:<5} {}\n", wanted.key, measured->value,
                   up ? ">=" : "<=", wanted.target, reached ? "pass" : "MISS", wanted.meaning);
    }
    fmt::print("\n");
    for (const auto& item : entries_) {
        if (std::ranges::any_of(goals(), [&](const goal& g) { return g.key == item.key; })) {
            continue;
        }
        fmt::print("{:<34} {}\n", item.key,
                   item.text ? *item.text : fmt::format("{:.6g}", item.value));
    }
}

std::string report::json() const {
    json_object all;
    for (const auto& item : entries_) {
        if (item.text) {
            all.add(item.key, *item.text);
        } else {
            all.add_raw(item.key,
                        std::isfinite(item.value) ? fmt::format("{:.6g}", item.value) : "null");
        }
    }
    return all.text();
}

double median(std::vector<double> values) {
    if (values.empty()) {
        return std::nan("");
    }
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double quantile(std::vector<double> values, double part) {
    if (values.empty()) {
        return std::nan("");
    }
    std::ranges::sort(values);
    const auto rank =
        static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

}  // namespace postrider::bench
