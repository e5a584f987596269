#include <postrider/error.hpp>
#include <postrider/transaction.hpp>
#include <utility>

#include "client/transaction_state.hpp"

namespace postrider {
namespace {

pg::connection& idle(pg::connection& session) {
    if (session.in_transaction()) {
        throw usage_error(
            "the connection is in a transaction already; end that one first, or use a savepoint");
    }
    return session;
}

void require_open(const transaction::state& state, const char* operation) {
    if (state.ended) {
        throw usage_error(std::string(operation) +
                          ": the transaction has ended; begin another one on the connection");
    }
}

void require_own(const transaction::state& state, const char* operation) {
    if (state.ended_by == transaction::state::owner::worker) {
        throw usage_error(std::string(operation) +
                          ": the worker ends this transaction when the handler does; return to "
                          "commit, throw to roll back");
    }
}

// A statement that ends the transaction would leave later statements without one.
void require_still_open(transaction::state& state) {
    if (state.session.alive() && !state.session.in_transaction()) {
        state.ended = true;
        throw usage_error(
            "a statement ended the transaction; use commit() and rollback() for that");
    }
}

pg::params parameters_of(executor::parameters values) {
    pg::params converted;
    for (const auto& value : values) {
        converted.add(value);
    }
    return converted;
}

void require_text(const std::string& sql) {
    if (sql.find('\0') != std::string::npos) {
        throw usage_error("a statement must not contain a zero byte");
    }
}

}  // namespace

connection::connection(const std::string& database)
    : state_(std::make_unique<state>(state{pg::connection(database)})) {}
connection::connection(connection&&) noexcept = default;
connection& connection::operator=(connection&&) noexcept = default;
connection::~connection() = default;

pg_conn* connection::native() noexcept { return state_->session.raw(); }

bool transaction::state::session_lost() const noexcept { return !session.alive(); }

transaction::transaction(connection& on)
    : state_(std::make_unique<state>(idle(on.state_->session))) {}

transaction::transaction(std::unique_ptr<state> made) : state_(std::move(made)) {}

transaction::~transaction() = default;

rows transaction::exec(const std::string& sql) {
    require_open(*state_, "exec");
    require_text(sql);
    auto result = std::make_shared<pg::result>(state_->session.exec(sql));
    require_still_open(*state_);
    return rows(std::move(result));
}

rows transaction::exec_text(const std::string& sql, const std::vector<parameter>& values) {
    require_open(*state_, "exec");
    require_text(sql);
    auto result = std::make_shared<pg::result>(
        state_->session.exec_params(sql.c_str(), parameters_of(values)));
    require_still_open(*state_);
    return rows(std::move(result));
}

std::string transaction::query_value(const char* sql, parameters values) {
    require_open(*state_, "query_value");
    const auto result = state_->session.exec_params(sql, parameters_of(values));
    require_still_open(*state_);
    return result.empty() || result.columns() == 0 ? std::string() : std::string(result.text(0, 0));
}

void transaction::commit() {
    require_own(*state_, "commit");
    require_open(*state_, "commit");
    state_->ended = true;
    state_->work.commit();
}

void transaction::rollback() {
    require_own(*state_, "rollback");
    require_open(*state_, "rollback");
    state_->ended = true;
    state_->work.rollback();
}

// Null once it has ended: publishing then fails instead of committing by itself.
pg_conn* transaction::native() noexcept { return state_->ended ? nullptr : state_->session.raw(); }

}  // namespace postrider
