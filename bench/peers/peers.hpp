#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/lab/lab.hpp"
#include "bench/peers/peer.hpp"

namespace postrider::bench {

struct peers_options {
    lab_options where;
    std::string json_file;
    std::vector<std::string> only;     ///< groups of measures; empty: all
    std::vector<std::string> systems;  ///< empty: all
};

/// Measures every available system on one server. Prints the table and the ratios.
void run_peers_on(const lab& where, const peers_options& options);

/// The results of one system, round by round.
using samples = std::map<std::string, std::vector<double>>;

/// Sizes of the measurements, by kind of run.
struct peer_sizes {
    std::int64_t drain_1;
    std::int64_t drain_10;
    std::int64_t drain_100;
    std::int64_t drain_1000;
    double publish_seconds;
    int latency_messages;
    double pinned_seconds;
    double pinned_warm_up;
    double pinned_window;
};
peer_sizes sizes_for(const lab& where);

/// One round of one group of measures of one system.
void measure_drain(const lab& where, const peer& system, samples& into);
void measure_publish(const lab& where, const peer& system, samples& into);
void measure_latency(const lab& where, const peer& system, samples& into);
void measure_pinned(const lab& where, const peer& system, samples& into);
void measure_due(const lab& where, const peer& system, samples& into);

/// Messages per second of draining a backlog at the system's best, in a database of its own.
double drain_at_best(const lab& where, const peer& system, std::int64_t rows);

/// The variables with which a consumer process finds the database; its commits are asynchronous,
/// since a lost acknowledgement only means that a message is delivered again.
environment consumer_environment(const fresh_database& database);

}  // namespace postrider::bench
