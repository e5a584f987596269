#include "store/work/exchange.hpp"

#include <postrider/error.hpp>
#include <string>
#include <utility>

#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

constexpr const char* exchange_sql =
    "select settled, parked, lease_id, lease_token, messages"
    " from postrider.exchange_packed($1, $2, $3, $4, $5, $6, $7)";
constexpr const char* exchange_native_sql =
    "select settled, parked, lease_id, lease_token, messages"
    " from postrider.exchange_native($1, $2, $3, $4, $5, $6, $7)";
constexpr const char* exchange_ordered_sql =
    "select settled, parked, lease_id, lease_token, messages"
    " from postrider.exchange_ordered($1, $2, $3, $4, $5, $6, $7, $8, false)";
constexpr const char* exchange_ordered_native_sql =
    "select settled, parked, lease_id, lease_token, messages"
    " from postrider.exchange_ordered($1, $2, $3, $4, $5, $6, $7, $8, true)";
constexpr const char* exchange_waiting_sql =
    "select settled, parked, lease_id, lease_token, messages"
    " from postrider.exchange_waiting($1, $2, $3, $4, $5, $6, $7, $8, $9)";
enum answer_column { settled, parked, lease_id, lease_token, messages };

void split(std::string_view packed, std::vector<std::string_view>& into) {
    while (!packed.empty()) {
        record_reader message(packed);
        if (message.fields() != plain_message_fields && message.fields() != message_fields) {
            throw error(errc::schema_newer, "the database returned a message with " +
                                                std::to_string(message.fields()) +
                                                " fields, which this program cannot read");
        }
        for (int i = 0; i < message.fields(); ++i) {
            message.next();
        }
        into.push_back(packed.substr(0, packed.size() - message.rest().size()));
        packed = message.rest();
    }
}

}  // namespace

claimed_batch::claimed_batch(pg::result answer) : answer_(std::move(answer)) {
    for (int row = 0; row < answer_.rows(); ++row) {
        split(answer_.text(row, answer_column::messages), messages_);
    }
    const int last = answer_.rows() - 1;
    parked_ = answer_.get<int>(last, answer_column::parked);
    if (!answer_.is_null(last, answer_column::lease_id)) {
        lease_ = lease_ref{answer_.get<std::int64_t>(last, answer_column::lease_id),
                           uuid::from_bytes(answer_.text(last, answer_column::lease_token))};
    }
    if (!answer_.is_null(last, answer_column::settled)) {
        settled_ = settlement_from(answer_.text(last, answer_column::settled));
    }
}

const lease_ref& claimed_batch::held_lease() const {
    if (!lease_) {
        throw usage_error("an empty batch has no lease; check empty() first");
    }
    return *lease_;
}

bool claims_natively(pg::connection& session) {
    const auto made = session.exec(
        "select exists ("
        " select from pg_catalog.pg_proc p join pg_catalog.pg_language l on l.oid = p.prolang"
        " where p.pronamespace = pg_catalog.to_regnamespace('postrider')"
        " and p.proname = 'exchange_native' and l.lanname = 'c'"
        " and pg_catalog.has_function_privilege(p.oid, 'execute'))");
    if (!made.get<bool>(0, 0)) {
        return false;
    }
    try {
        session.exec("select from postrider.exchange_native(null, null)");
        return true;
    } catch (const error& problem) {
        // The library was removed after the function was created.
        if (problem.connection_lost()) {
            throw;
        }
        return false;
    }
}

const char* exchange_statement(stream from) {
    return from == stream::log ? "postrider_exchange" : "postrider_exchange_waiting";
}

void prepare_exchange(pg::connection& session, bool ordered) {
    const bool natively = claims_natively(session);
    const char* of_log = natively ? exchange_native_sql : exchange_sql;
    if (ordered) {
        of_log = natively ? exchange_ordered_native_sql : exchange_ordered_sql;
    }
    session.prepare(exchange_statement(stream::log), of_log);
    session.prepare(exchange_statement(stream::waiting), exchange_waiting_sql);
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
    if (request.from == stream::waiting) {
        values.add(request.log_is_empty);
    }
    if (request.from == stream::waiting || request.ordered) {
        values.add(request.chain);
    }
    return values;
}

claimed_batch exchange(pg::connection& session, const exchange_request& request) {
    return claimed_batch(session.exec_prepared(exchange_statement(request.from),
                                               exchange_params(request), pg::format::binary));
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
