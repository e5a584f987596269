#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace postrider::bench {

/// One object per curve: the dimension, the unit of work, the points, the growth and the verdict.
using scale_results = nlohmann::ordered_json;

/// Maximum ratio of the cost of a unit of work at the largest size to that at any smaller size: the
/// variation between runs.
inline constexpr double growth_max = 1.3;

/// Ratio of the cost at the largest size to the lowest cost at a smaller size.
double growth_of(const scale_results& curve);
/// "no faster than the work", or by how much it is.
std::string verdict_of(const scale_results& curve);

/// 10k, 1M, 256K …
std::string short_size(double size);

}  // namespace postrider::bench
