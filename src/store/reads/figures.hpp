#pragma once

#include <optional>
#include <string>

#include "pg/connection.hpp"

namespace postrider::store {

/// One sample of all figures, as JSON; sql/functions/surface/figures.sql.
struct figures_sample {
    std::string figures;
    std::string point;     ///< one point of the history
    std::string counters;  ///< input of the next call
    std::string xmin;      ///< the holder of the oldest snapshot
};

/// Figures about jobs, as JSON; sql/functions/surface/job_figures.sql.
std::string job_figures(pg::connection& session);

figures_sample figures(pg::connection& session, const std::optional<std::string>& counters);

}  // namespace postrider::store
