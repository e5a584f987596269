#include "store/claim.hpp"

#include <postrider/error.hpp>
#include <string>
#include <utility>

#include "store/encode.hpp"

namespace postrider::store {
namespace {

constexpr const char* exchange_sql = "select postrider.exchange_packed($1, $2, $3, $4, $5, $6, $7)";
constexpr int message_fields = 16;

std::vector<std::string_view> split(std::string_view packed) {
    std::vector<std::string_view> messages;
    while (!packed.empty()) {
        record_reader message(packed);
        if (message.fields() != message_fields) {
            throw error(errc::schema_newer,
                        "the database describes a message in " + std::to_string(message.fields()) +
                            " fields; this program knows " + std::to_string(message_fields));
        }
        for (int i = 0; i < message_fields; ++i) {
            message.next();
        }
        messages.push_back(packed.substr(0, packed.size() - message.rest().size()));
        packed = message.rest();
    }
    return messages;
}

}  // namespace

claimed_batch::claimed_batch(pg::result answer) : answer_(std::move(answer)) {
    record_reader summary(answer_.text(0, 0));
    if (const auto settled = summary.next(); settled.data() != nullptr) {
        settled_ = settlement_from(settled);
    }
    parked_ = static_cast<int>(read_integer(summary.next()));
    const auto id = summary.next();
    const auto token = summary.next();
    if (id.data() != nullptr) {
        lease_ = lease_ref{read_integer(id), uuid::from_bytes(token)};
    }
    messages_ = split(summary.next());
}

const lease_ref& claimed_batch::held_lease() const {
    if (!lease_) {
        throw usage_error("an empty batch holds no lease; look at empty() first");
    }
    return *lease_;
}

void prepare_exchange(pg::connection& session) {
    session.prepare(exchange_statement, exchange_sql);
}

pg::params exchange_params(const exchange_request& request) {
    pg::params values;
    add(values, request.worker);
    values.add(request.limit);
    if (request.lease) {
        values.add(request.lease->id);
        add(values, request.lease->token);
    } else {
        values.add_null().add_null();
    }
    add(values, request.delivered);
    if (request.failures.empty()) {
        values.add_null();
    } else {
        values.add(failures_json(request.failures));
    }
    add(values, request.deadline);
    return values;
}

claimed_batch exchange(pg::connection& session, const exchange_request& request) {
    return claimed_batch(
        session.exec_prepared(exchange_statement, exchange_params(request), pg::format::binary));
}

claimed_batch claim(pg::connection& session, const uuid& worker, int limit,
                    std::optional<std::chrono::milliseconds> deadline) {
    const auto values = exchange_params({.worker = worker, .limit = limit, .deadline = deadline});
    while (true) {
        claimed_batch batch(session.exec_params(exchange_sql, values, pg::format::binary));
        if (!batch.empty() || batch.parked() == 0) {
            return batch;
        }
    }
}

}  // namespace postrider::store
