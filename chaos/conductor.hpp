#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "chaos/faults/schedule.hpp"
#include "chaos/testbed.hpp"

namespace postrider::chaos {

struct run_options {
    testbed_options on = {};
    std::chrono::seconds length{60};
    std::chrono::seconds drain_timeout{90};  ///< without a message handled, after the faults
    std::vector<std::string> faults = {};    ///< names; empty: all that can be done here
    std::string broken = {};                 ///< a safety rule to switch off, see breaking.hpp
    bool quiet = false;                      ///< no progress
};

/// Executes a run. Leaves in its directory the histories of all processes, and dump.history with
/// the final state of the database.
void conduct(run_options options);

}  // namespace postrider::chaos
