#pragma once

#include <string>
#include <vector>

#include "bench/lab/scenario.hpp"

namespace postrider::bench {

class served_page;

/// The operator's surface over a large log: latency of every route, the cost of viewers for the
/// database, and the effect of an open page on publishing and draining.
void crowded(const lab& where, report& results);

const std::vector<scenario>& surface_scenarios();

/// Fills a database with `rows` messages over several days, of which every tenth is a dead letter
/// of the consumer `shop`, and with examples of everything else that the page lists. The consumer
/// `bench` has not read any of the log.
void crowd(const fresh_database& database, std::int64_t rows);

/// Time every route that the page uses.
void measure_routes(const fresh_database& database, served_page& page, const lab& where,
                    report& results);
/// Time until the page is painted in a browser, the first time and later; skipped without one.
void measure_browser(const served_page& page, const lab& where, report& results);
/// Time for an answer of a megabyte.
void measure_large_answer(const fresh_database& database, served_page& page, const lab& where,
                          report& results);
/// The cost of many live viewers for the database.
void measure_viewers(const lab& where, served_page& page, report& results);
/// The effect of an open page on publishing and draining.
void measure_beside(const fresh_database& database, served_page& page, const lab& where,
                    std::int64_t rows, report& results);

}  // namespace postrider::bench
