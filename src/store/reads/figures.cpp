#include "store/reads/figures.hpp"

namespace postrider::store {

figures_sample figures(pg::connection& session, const std::optional<std::string>& counters) {
    pg::params values;
    values.add(counters);
    const auto row = session.exec_params(
        "select f -> 'figures', f -> 'point', f -> 'counters' from postrider.figures($1) f",
        values);
    const auto xmin = session.exec("select postrider.xmin_holder()");
    return {row.get<std::string>(0, 0), row.get<std::string>(0, 1), row.get<std::string>(0, 2),
            xmin.get<std::string>(0, 0)};
}

std::string job_figures(pg::connection& session) {
    return session.exec("select postrider.job_figures()").get<std::string>(0, 0);
}

}  // namespace postrider::store
