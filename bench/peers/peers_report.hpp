#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace postrider::bench {

/// One object per system, all with the same keys; null where a measure does not apply.
using peer_results = nlohmann::ordered_json;

/// The keys of the results and their meanings, in the order of the report.
struct peer_key {
    const char* key;
    const char* meaning;
    bool higher_is_better;
};
const std::vector<peer_key>& peer_keys();

/// The expected and measured ratios of Postrider to the peers.
struct peer_ratio {
    std::string meaning;
    std::optional<double> measured;  ///< empty when one side was not measured
    bool at_least;
    double expected;
    bool reached() const {
        return measured && (at_least ? *measured >= expected : *measured <= expected);
    }
    std::string against;  ///< the peer it was compared with, and its figure
};
std::vector<peer_ratio> peer_ratios(const peer_results& results);

void print_peers(const peer_results& results);

/// Empty when the file does not exist.
peer_results read_results(const std::filesystem::path& file);
void write_results(const std::filesystem::path& file, const peer_results& results);

/// A figure rounded for people, to about three digits.
std::string readable(double value);

}  // namespace postrider::bench
