#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "chaos/faults/random_source.hpp"
#include "chaos/testbed.hpp"

namespace postrider::chaos {

/// One kind of fault. `begin` injects it and returns the function that undoes it later. The
/// conductor's thread calls both. The fault writes its effects on a process or the server to the
/// conductor's history if no other process records them.
struct fault {
    std::string name;
    std::string meaning;
    std::chrono::milliseconds shortest;  ///< from begin to the end
    std::chrono::milliseconds longest;
    using undo = std::function<void(testbed&)>;
    std::function<undo(testbed&, random_source&)> begin;
    /// Why it cannot be done on this machine; empty: it can.
    std::function<std::string()> missing = {};
    /// Not part of the default faults: it changes how the server works, even without a failure.
    bool only_by_name = false;
    bool only_with_broker = false;
};

const std::vector<fault>& all_faults();
/// Throws std::invalid_argument, with all known names, for an unknown one.
const fault& find_fault(const std::string& name);

std::vector<fault> process_faults();
std::vector<fault> server_faults();
std::vector<fault> network_faults();
std::vector<fault> work_faults();
std::vector<fault> broker_faults();

/// Records an action in the history.
void record_hit(testbed& on, const std::string& action, const std::string& target);

/// For a fault that ends by itself.
fault::undo nothing();
/// One of the running processes that `suits` accepts; null if there is none.
part* random_part(testbed& on, random_source& random,
                  const std::function<bool(const part&)>& suits);
/// SIGKILL; the conductor starts the process again.
void kill_part(testbed& on, part* victim);

}  // namespace postrider::chaos
