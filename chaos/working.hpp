#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "chaos/roles.hpp"

namespace postrider::chaos {

struct working_options {
    std::string name;  ///< of this process, also its application_name
    std::string database;
    std::string directory;  ///< of the run
    std::string consumer;
    std::optional<std::int64_t> generation = {};
    std::string broker = {};  ///< of the relay and of consumers behind a broker: its address
    chaos::tempo tempo = {};
};

/// A worker process: until SIGTERM. Its history has, for every run of a handler, `run` before it
/// begins and `ended` with its outcome before anything is reported, `effect` when a transactional
/// handler has written its effect (the commit follows), and `state` for each state change that the
/// worker reports.
int run_worker(const working_options& options);

}  // namespace postrider::chaos
