#pragma once

#include <optional>
#include <string>

#include "pg/connection.hpp"

namespace postrider::store {

/// One look at the whole; sql/functions/surface/figures.sql. All of it is JSON.
struct figures_sample {
    std::string figures;
    std::string point;     ///< one point of the history
    std::string counters;  ///< for the next look
    std::string xmin;      ///< what keeps vacuum from cleaning up
};

figures_sample figures(pg::connection& session, const std::optional<std::string>& counters);

}  // namespace postrider::store
