#include "bench/surface/surface.hpp"

#include "bench/lab/workload.hpp"
#include "bench/surface/served_page.hpp"

namespace postrider::bench {

void crowded(const lab& where, report& results) {
    const auto rows =
        where.tiny() ? std::int64_t{5000} : where.size<std::int64_t>(10'000'000, 150'000);
    const fresh_database database(where);
    crowd(database, rows);
    results.add("messages", static_cast<double>(rows));
    served_page page(database.conninfo());
    measure_routes(database, page, where, results);
    measure_large_answer(database, page, where, results);
    measure_browser(page, where, results);
    measure_viewers(where, page, results);
    measure_beside(database, page, where, rows, results);
}

const std::vector<scenario>& surface_scenarios() {
    static const std::vector<scenario> all{{"crowded", crowded}};
    return all;
}

}  // namespace postrider::bench
