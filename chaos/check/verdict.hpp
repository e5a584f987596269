#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "chaos/check/facts.hpp"

namespace postrider::chaos {

struct violation {
    std::string invariant;  ///< "I1" to "I14", or "process": one ended by itself
    std::string detail;
};

struct recovery {
    std::string fault;
    double at_s = 0;  ///< since the first message was published
    double lasted_s = 0;
    double recovered_s = -1;  ///< from its end to a later message's delivery; -1: none came
};

/// From the commit of a message, or the time it is due, to the start of its handler.
struct start_delays {
    double p50_s = 0;
    double p99_s = 0;
};

/// One consumer's share. Counts messages per handler; the sums of a verdict count a lost or
/// invented message once.
struct consumer_verdict {
    int lost = 0;
    int invented = 0;
    int unexplained = 0;
    int late = 0;
    int late_explained = 0;
    start_delays starts = {};
};

/// The result of the checker for a run.
struct verdict {
    int published = 0;
    int delivered = 0;
    int dead = 0;
    int duplicates = 0;
    int explained = 0;
    int lost = 0;
    int invented = 0;
    int unexplained = 0;
    int keyed = 0;       ///< messages with an ordering key, of ordered consumers
    int inversions = 0;  ///< of these: began before an earlier one of the key was delivered
    int late = 0;  ///< started later than the bound although a connected worker had a free thread
    int late_explained = 0;  ///< started later than the bound, with a cause
    double start_bound_s = 0;
    double keeper_bound_s = 0;  ///< added while the channel had no keeper
    start_delays starts = {};
    double longest_transaction_s = 0;  ///< that committed
    std::map<std::string, consumer_verdict> consumers = {};
    int runs = 0;
    int server_crashes = 0;
    std::int64_t seed = 0;
    std::map<std::string, int> causes = {};  ///< of duplicates
    std::map<std::string, int> late_causes = {};
    std::map<std::string, int> violations = {};  ///< how many, by invariant
    std::vector<violation> examples = {};        ///< the first ones of each
    std::vector<recovery> recoveries = {};
    double rate = 0;         ///< runs per second
    double pinned_rate = 0;  ///< the same while an old transaction stayed open; 0: never did

    bool good() const { return violations.empty() && lost + invented + unexplained == 0; }
    void add(const std::string& invariant, const std::string& detail);
    /// A repeated run. Without a cause it breaks I8; `how` describes it.
    void add_repeat(const std::string& consumer, const std::string& cause, const std::string& how);
};

/// Reads the histories in the directory of a run and checks the invariants I1 to I11, I13 and I14.
verdict check(const std::filesystem::path& directory);

/// published P, delivered D, dead X, duplicates U (explained E), lost 0, invented 0, unexplained 0
std::string last_line(const verdict& of);
std::string to_json(const verdict& of);
/// Several lines for people, the last line not included.
std::string describe(const verdict& of);

// One function per group of invariants; each adds its findings.
void check_publishing(const facts& from, verdict& to);
void check_states(const facts& from, verdict& to);
void check_effects(const facts& from, verdict& to);
void check_ceilings(const facts& from, verdict& to);
void check_fences(const facts& from, verdict& to);
void check_dead_letters(const facts& from, verdict& to);
void check_times(const facts& from, verdict& to);
void check_repeats(const facts& from, verdict& to);
void check_charges(const facts& from, verdict& to);
void check_retention(const facts& from, verdict& to);
void check_claims(const facts& from, verdict& to);
void check_starts(const facts& from, verdict& to);
void check_order(const facts& from, verdict& to);
void check_processes(const facts& from, verdict& to);
void check_behind_broker(const facts& from, verdict& to);
void measure_recovery(const facts& from, verdict& to);

}  // namespace postrider::chaos
