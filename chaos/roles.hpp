#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chaos/record/record.hpp"

namespace postrider::chaos {

/// A handler of a chaos run: its event types, its behaviour and its limits. The processes register
/// it. The conductor's history records it for the checker.
struct role {
    std::string consumer;
    std::string name;
    std::vector<std::string> types;
    bool transactional = false;
    bool batch = false;
    bool deadly = false;                 ///< kills the process that runs it
    std::chrono::milliseconds takes{0};  ///< besides the few milliseconds of every run
    int max_attempts = 5;
    int max_crashes = 3;
    bool behind_broker = false;
    bool ordered = false;
};

/// All consumers of the default channel, and the one handler of every generation.
const std::vector<role>& roles();
inline constexpr std::string_view generation_types = "gen.*";
/// The consumer that is ordered by key, and its messages: changes of accounts.
inline constexpr std::string_view ordered_consumer = "ledger";
inline constexpr std::string_view keyed_types = "keyed.*";
inline constexpr int accounts = 6;

/// With a broker: the relay's consumer, the one behind the broker, and its handlers.
inline constexpr std::string_view relay_consumer = "out";
inline constexpr std::string_view branch_consumer = "branch";
const std::vector<role>& branch_roles();
/// The stream between the two, and its subjects.
inline constexpr const char* broker_stream = "CHAOS";
inline constexpr const char* broker_subjects = "chaos.";

/// The record `role` of the conductor's history.
record to_record(const role& one, const std::string& channel);

/// Threads of a worker process.
inline constexpr int worker_threads = 4;

/// Settings that all processes share. The times are short, so that many leases expire in a run.
/// Only the sweep has its default, so that a message that only the sweep finds breaks I13.
struct tempo {
    std::chrono::milliseconds alive_for{2000};
    std::chrono::milliseconds timeout{1500};  ///< of a handler
    std::chrono::milliseconds sweep{30000};
    std::chrono::milliseconds poll{1000};
    std::chrono::milliseconds call_timeout{2000};
    std::chrono::milliseconds hold_for{1500};  ///< a dead letter holds its ordering key
    /// A due message is claimed within this after all faults have ended: a worker whose server was
    /// away for long reconnects every 30 s, and machines can be busy.
    std::chrono::milliseconds claim_within{45000};
    /// A connected worker with a free thread starts a committed message within this (I13).
    std::chrono::milliseconds start_within{2000};
    /// Added while the channel has no keeper: a stopped one is replaced within this.
    std::chrono::milliseconds keeper_replaced_within{5000};
};

/// The name of a generation's channel.
std::string channel_of(std::int64_t generation);

/// Numbers and texts of the payloads of a run: {"is": "…", "fail": 2}. 0 when there is none.
std::int64_t number_in(std::string_view payload, std::string_view name);
std::string text_in(std::string_view payload, std::string_view name);

}  // namespace postrider::chaos
