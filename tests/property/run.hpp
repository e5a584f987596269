#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::test {

/// A part of a function of the engine, replaced to test that the model detects it.
struct mutation {
    std::string function;
    std::string from;
    std::string to;
};

struct disagreed {
    std::string problem;
    std::vector<std::string> log;
    int step;  ///< the last one that was taken
};

/// One world with a fresh database. A step's choices depend on the seed and its number alone, so
/// leaving some out changes the others as little as possible.
std::optional<disagreed> run_world(std::uint64_t seed, const std::vector<int>& steps,
                                   const std::optional<mutation>& broken = {});

std::vector<int> first_steps(int count);

/// Fewer steps that still disagree, as long as there is time.
std::string explain(std::uint64_t seed, const disagreed& found);

}  // namespace postrider::test
