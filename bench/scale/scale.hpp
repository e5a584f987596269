#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/lab/lab.hpp"

namespace postrider::bench {

struct scale_options {
    lab_options where;
    std::string json_file;
    std::vector<std::string> only;
};

/// Measures every curve, prints it with its verdict and writes it.
void run_scale_on(const lab& where, const scale_options& options);
const std::vector<std::string>& curve_names();

/// The cost of one message at one size.
struct scale_point {
    double size;
    double microseconds;  ///< per unit of work, median of the rounds
};

/// One curve: the cost of a unit of work must not grow with a dimension of the database.
struct curve {
    const char* name;
    const char* grows;  ///< the dimension that grows
    const char* work;   ///< the unit of work
    double (*measure)(const lab&, std::int64_t size);
    std::vector<std::int64_t> (*sizes)(const lab&);
};

double cost_behind_backlog(const lab& where, std::int64_t rows);
double cost_behind_history(const lab& where, std::int64_t rows);
double cost_with_consumers(const lab& where, std::int64_t consumers);
double cost_with_handlers(const lab& where, std::int64_t handlers);
double cost_of_payload(const lab& where, std::int64_t bytes);
double cost_with_partitions(const lab& where, std::int64_t partitions);

}  // namespace postrider::bench
