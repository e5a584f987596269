#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "chaos/faults/faults.hpp"

namespace postrider::chaos {

struct planned_fault {
    std::chrono::milliseconds at;  ///< since the beginning
    std::chrono::milliseconds lasts;
    const fault* kind;
    std::uint64_t seed;  ///< of its random choices
};

/// The faults of a run, determined by its arguments. Every kind comes once before any kind repeats;
/// faults may overlap.
std::vector<planned_fault> plan_faults(std::uint64_t seed, std::chrono::seconds length,
                                       const std::vector<const fault*>& kinds);

}  // namespace postrider::chaos
