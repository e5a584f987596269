#include "store/maintain.hpp"

namespace postrider::store {

std::vector<std::string> maintain(pg::connection& session) {
    const auto rows = session.exec("select postrider.maintain()");
    std::vector<std::string> done;
    done.reserve(static_cast<std::size_t>(rows.rows()));
    for (int row = 0; row < rows.rows(); ++row) {
        done.emplace_back(rows.text(row, 0));
    }
    return done;
}

}  // namespace postrider::store
