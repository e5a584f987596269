#include "store/operate/redelivery.hpp"

#include "store/messages/encode.hpp"

namespace postrider::store {

std::vector<std::string> delivered_since(pg::connection& session, const consumer_name& which,
                                         const std::string& handler,
                                         std::chrono::system_clock::time_point since) {
    const auto rows = session.exec_params(
        "select id from postrider.outbox where status = 'delivered' and consumer = $1"
        " and channel = $2 and handler = $3 and published_at >= $4 order by published_at, seq",
        pg::params(which.consumer, which.channel, handler, timestamp_text(since)));
    std::vector<std::string> ids;
    for (int row = 0; row < rows.rows(); ++row) {
        ids.emplace_back(rows.text(row, 0));
    }
    return ids;
}

void redeliver(pg::connection& session, const std::string& id, const consumer_name& which,
               const std::string& handler, const audit_entry& why) {
    session.exec_params(
        "select postrider.redeliver($1, $2, $3, false, $4, $5, $6)",
        pg::params(id, which.consumer, handler, why.actor, why.reason, which.channel));
}

}  // namespace postrider::store
