#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace postrider::bench {

/// One object per curve: the dimension, the unit of work, the points, the growth and the verdict.
using scale_results = nlohmann::ordered_json;

/// How much more a unit of work may cost at the largest size than at any smaller one: what the
/// measurement itself moves between runs.
inline constexpr double growth_max = 1.3;

/// The cost at the largest size over the cheapest smaller one.
double growth_of(const scale_results& curve);
/// "no faster than the work", or by how much it is.
std::string verdict_of(const scale_results& curve);

/// 10k, 1M, 256K …
std::string short_size(double size);

}  // namespace postrider::bench
