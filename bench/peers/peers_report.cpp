#include "bench/peers/peers_report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace postrider::bench {
namespace {

const std::vector<std::string> each_acknowledged{"pgmq", "graphile_worker", "pg_boss", "classic"};
const std::vector<std::string> peer_names{"pgmq", "graphile_worker", "pg_boss", "pgq", "classic"};

std::optional<double> value_of(const peer_results& results, const std::string& system,
                               const std::string& key) {
    if (!results.contains(system) || !results[system].contains(key) ||
        results[system][key].is_null()) {
        return std::nullopt;
    }
    return results[system][key].get<double>();
}

struct best_peer {
    std::string system;
    double value;
};

std::optional<best_peer> best_peer_of(const peer_results& results,
                                      const std::vector<std::string>& peers, const std::string& key,
                                      bool highest) {
    std::optional<best_peer> best;
    for (const auto& system : peers) {
        const auto value = value_of(results, system, key);
        if (value && (!best || (highest ? *value > best->value : *value < best->value))) {
            best = {system, *value};
        }
    }
    return best;
}

// `ours` over the best of `peers`, or over one peer alone.
peer_ratio compare_peers(const peer_results& results, const std::string& ours,
                         const std::string& key, const std::vector<std::string>& peers,
                         bool at_least, double expected, const std::string& meaning) {
    const auto own = value_of(results, ours, key);
    const auto best = best_peer_of(results, peers, key, at_least);
    peer_ratio ratio{meaning, std::nullopt, at_least, expected, {}};
    if (own && best && best->value > 0) {
        ratio.measured = *own / best->value;
        ratio.against =
            fmt::format("{} over {} of {}", readable(*own), readable(best->value), best->system);
    }
    return ratio;
}

peer_ratio kept_speed(const peer_results& results) {
    const auto first = value_of(results, "postrider", "pinned_first");
    const auto last = value_of(results, "postrider", "pinned_last");
    peer_ratio ratio{"speed kept with xmin pinned", std::nullopt, true, 0.9, {}};
    if (first && last && *first > 0) {
        ratio.measured = *last / *first;
        for (const auto& system : peer_names) {
            const auto their_first = value_of(results, system, "pinned_first");
            const auto their_last = value_of(results, system, "pinned_last");
            if (their_first && their_last && *their_first > 0) {
                ratio.against += fmt::format("{}{} {:.2f}", ratio.against.empty() ? "" : ", ",
                                             system, *their_last / *their_first);
            }
        }
    }
    return ratio;
}

}  // namespace

const std::vector<peer_key>& peer_keys() {
    static const std::vector<peer_key> all{
        {"drain_1", "messages/s, one at a time", true},
        {"drain_10", "messages/s in batches of 10", true},
        {"drain_100", "messages/s in batches of 100", true},
        {"drain_1000", "messages/s in batches of 1,000", true},
        {"drain_best", "messages/s in its best shape", true},
        {"bulk_publish", "messages/s, 1,000 a transaction", true},
        {"publish_1", "single messages/s, 1 connection", true},
        {"publish_8", "single messages/s, 8 connections", true},
        {"publish_32", "single messages/s, 32 connections", true},
        {"latency_p50_ms", "ms from COMMIT to handler at 200/s", false},
        {"latency_p99_ms", "the same, 99 of 100", false},
        {"pinned_first", "messages/s, xmin pinned, first 10 s", true},
        {"pinned_last", "the same, last 10 s of 120", true},
        {"priority_per_s", "messages/s with three priorities", true},
        {"scheduled_per_s", "messages/s due at one instant", true},
        {"retry_per_s", "messages/s that fail once", true},
        {"wal_bytes", "bytes of WAL to consume a message", false},
        {"dead_tuples", "dead rows per consumed message", false},
        {"cpu_s_per_million", "CPU seconds per million consumed", false},
        {"worker_rss_mib", "peak MiB of the consumer process", false},
    };
    return all;
}

std::vector<peer_ratio> peer_ratios(const peer_results& results) {
    std::vector<peer_ratio> all;
    const auto add = [&](const std::string& ours, const std::string& key,
                         const std::vector<std::string>& peers, bool at_least, double expected,
                         const std::string& meaning) {
        all.push_back(compare_peers(results, ours, key, peers, at_least, expected, meaning));
    };
    add("postrider", "drain_1000", each_acknowledged, true, 3,
        "drain at 1,000 over the best that acknowledges each message");
    add("postrider", "drain_100", each_acknowledged, true, 2, "the same at 100");
    add("postrider", "drain_1000", {"pgq"}, true, 0.8, "drain at 1,000 over PgQ");
    add("postrider", "bulk_publish", peer_names, true, 1, "bulk publishing over the best");
    for (const auto* count : {"1", "8", "32"}) {
        add("postrider", fmt::format("publish_{}", count), peer_names, true, 1.2,
            fmt::format("single messages, {} connection{}, over the best", count,
                        std::string(count) == "1" ? "" : "s"));
    }
    add("postrider_worker", "latency_p50_ms", peer_names, false, 1,
        "median latency to the worker's handler over the best");
    add("postrider_worker", "latency_p99_ms", peer_names, false, 1, "the same, 99 of 100");
    all.push_back(kept_speed(results));
    add("postrider_worker", "priority_per_s", each_acknowledged, true, 1.5,
        "messages with priorities over the best");
    add("postrider_worker", "scheduled_per_s", each_acknowledged, true, 1.5,
        "messages due at one instant over the best");
    add("postrider_worker", "retry_per_s", each_acknowledged, true, 1,
        "messages that fail once over the best");
    return all;
}

std::string readable(double value) {
    if (value >= 10'000) {
        return fmt::format("{:.0f}k", value / 1000);
    }
    if (value >= 1000) {
        return fmt::format("{:.1f}k", value / 1000);
    }
    if (value >= 100) {
        return fmt::format("{:.0f}", value);
    }
    return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

void print_peers(const peer_results& results) {
    fmt::print("\n{:<20}", "");
    for (const auto& [system, figures] : results.items()) {
        fmt::print(" {:>16}", system);
    }
    fmt::print("\n");
    for (const auto& [key, meaning, higher] : peer_keys()) {
        fmt::print("{:<20}", key);
        for (const auto& [system, figures] : results.items()) {
            const auto value = value_of(results, system, key);
            fmt::print(" {:>16}", value ? readable(*value) : "-");
        }
        fmt::print("  {}\n", meaning);
    }
    fmt::print("\n{:<62} {:>8} {:>9}\n", "Postrider beside the others", "measured", "expected");
    for (const auto& ratio : peer_ratios(results)) {
        const auto measured = ratio.measured ? fmt::format("{:.2f}", *ratio.measured) : "-";
        fmt::print("{:<62} {:>8} {} {:>6}  {:<7} {}\n", ratio.meaning, measured,
                   ratio.at_least ? ">=" : "<=", ratio.expected,
                   !ratio.measured ? "" : (ratio.reached() ? "reached" : "MISSED"), ratio.against);
    }
    for (const auto& [system, figures] : results.items()) {
        const auto missing = figures.value("missing", std::string());
        fmt::print("\n{}: {}\n", system,
                   missing.empty() ? figures.value("configuration", std::string()) : missing);
    }
}

peer_results read_results(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) {
        return peer_results::object();
    }
    try {
        return peer_results::parse(in);
    } catch (const nlohmann::json::exception&) {
        throw std::runtime_error(file.string() + " exists and is not JSON; choose another file");
    }
}

void write_results(const std::filesystem::path& file, const peer_results& results) {
    if (file == "-") {
        fmt::print("{}\n", results.dump(2));
        return;
    }
    std::ofstream out(file);
    out << results.dump(2) << '\n';
    if (!out.flush()) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

}  // namespace postrider::bench
