#include <fmt/core.h>

#include <postrider/error.hpp>
#include <postrider/publish.hpp>
#include <vector>

#include "base/encoding/utf8.hpp"
#include "client/on_borrowed.hpp"
#include "client/publish/check_message.hpp"
#include "client/publish/outgoing.hpp"
#include "client/sink/sink_scope.hpp"
#include "pg/connection.hpp"

namespace postrider {
namespace {

constexpr std::size_t key_max = 255;

// The first twenty parameters are those of publish(). One column: an executor returns no more.
constexpr const char* publish_unique_statement =
    "select case when u.duplicate then 'd' else 'p' end || u.id from postrider.publish_unique("
    "$1, $4, $21, $22, $2, $23, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
    " $18, $19, $20) u";

[[noreturn]] void refuse(errc code, const std::string& problem) {
    throw usage_error(code, "publish_unique: " + problem, {.operation = "publish_unique"});
}

void check_key(const message& input, const unique_key& unique) {
    if (!input.target) {
        refuse(errc::invalid_argument,
               "a unique job needs a target: name the consumer that is to run it");
    }
    if (unique.key.empty()) {
        refuse(errc::invalid_argument, "the unique key is missing");
    }
    if (unique.key.size() > key_max) {
        refuse(errc::too_large, fmt::format("a unique key must have at most {} bytes, got {}",
                                            key_max, unique.key.size()));
    }
    if (usable_utf8(unique.key) != unique.key.size()) {
        refuse(errc::invalid_argument, "the unique key must be UTF-8 without zero bytes");
    }
    const bool timed = unique.scope == unique_scope::period;
    if (timed ? unique.period <= unique.period.zero() : unique.period != unique.period.zero()) {
        refuse(errc::invalid_argument,
               "the scope period needs a positive period, and other scopes have none");
    }
}

const char* scope_name(unique_scope scope) {
    switch (scope) {
        case unique_scope::until_started:
            return "until_started";
        case unique_scope::until_finished:
            return "until_finished";
        case unique_scope::period:
            return "period";
        case unique_scope::serial:
            return "serial";
    }
    refuse(errc::invalid_argument, "unknown scope");
}

/// One checked job, as the parameters of the statement.
class job {
  public:
    job(const message& input, const unique_key& unique) {
        client::check_message(input, "publish_unique");
        check_key(input, unique);
        one_.add(input);
        values_ = client::publish_parameters(one_[0]);
        values_.emplace_back(unique.key);
        values_.emplace_back(scope_name(unique.scope));
        values_.push_back(unique.scope == unique_scope::period
                              ? std::optional(std::to_string(unique.period.count()) + " ms")
                              : std::nullopt);
    }

    executor::parameters values() const { return values_; }

    unique_result read(std::string_view answer) const {
        unique_result result{.id = std::string(answer.substr(1)), .duplicate = answer[0] == 'd'};
        if (const auto to = result.duplicate ? nullptr : client::publish_sink()) {
            client::report_published(*to, one_[0]);
        }
        return result;
    }

  private:
    client::outgoing one_;
    std::vector<std::optional<std::string>> values_;
};

}  // namespace

unique_result publish_unique(executor& within, const message& input, const unique_key& unique) {
    if (auto* raw = within.native()) {
        return publish_unique(raw, input, unique);
    }
    const job one(input, unique);
    return one.read(within.query_value(publish_unique_statement, one.values()));
}

unique_result publish_unique(pg_conn* within, const message& input, const unique_key& unique) {
    const job one(input, unique);
    std::string answer;
    client::on_borrowed(within, "publish_unique", [&](auto& session) {
        pg::params values;
        for (const auto& value : one.values()) {
            values.add(value);
        }
        answer = session.exec_params(publish_unique_statement, values).text(0, 0);
    });
    return one.read(answer);
}

}  // namespace postrider
