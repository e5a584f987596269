#include "bench/scale/scale_report.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace postrider::bench {

double growth_of(const scale_results& curve) {
    const auto& points = curve["points"];
    double cheapest = points.front()["us"].get<double>();
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        cheapest = std::min(cheapest, points[i]["us"].get<double>());
    }
    return points.back()["us"].get<double>() / cheapest;
}

std::string verdict_of(const scale_results& curve) {
    const auto growth = growth_of(curve);
    return growth <= growth_max
               ? fmt::format("no faster than the work ({:.2f} times the cheapest smaller size)",
                             growth)
               : fmt::format("FASTER THAN THE WORK ({:.2f} times the cheapest smaller size)",
                             growth);
}

std::string short_size(double size) {
    if (size >= 1e6) {
        return fmt::format("{:.0f}M", size / 1e6);
    }
    return size >= 1e4 ? fmt::format("{:.0f}k", size / 1e3) : fmt::format("{:.0f}", size);
}

}  // namespace postrider::bench
