#include "serve/http/problem.hpp"

#include "base/error_text.hpp"
#include "base/json/json.hpp"

namespace postrider::serve {

namespace {

// Hints of the SQL functions name other functions, which a caller over HTTP cannot call.
std::string without_sql(const error& known) {
    const auto text = without_statement(known);
    return text.substr(0, text.find("; hint: "));
}

}  // namespace

std::string problem::json() const {
    const auto& info = describe(code);
    json_object object;
    object.add("type", "urn:postrider:error:" + std::string(info.name))
        .add("title", info.meaning)
        .add("status", http_status())
        .add("code", info.name)
        .add("detail", detail)
        .add("retryable", retryable);
    return object.text();
}

problem problem_of(const std::exception& thrown) {
    const auto* known = dynamic_cast<const error*>(&thrown);
    if (known == nullptr) {
        return {errc::database_error, "internal error; see the log of the server"};
    }
    const auto& state = known->sqlstate();
    if (known->code() == errc::connection_failed || known->connection_lost()) {
        return {.code = errc::connection_failed,
                .detail = "the database is unavailable; try again",
                .retryable = true,
                .retry_after = 2};
    }
    if (state == "57014") {
        return {.code = errc::database_error,
                .detail = "the query timed out; narrow it, for example to a shorter period",
                .status = 503};
    }
    if (state == "55P03") {
        return {.code = errc::database_error,
                .detail = "another transaction holds a lock that this request needs; try again",
                .status = 503,
                .retryable = true,
                .retry_after = 2};
    }
    if (state == "42501") {
        return {errc::permission_denied,
                "the database role of this server lacks a required privilege; grant it "
                "postrider_operator"};
    }
    // The name of a missing SQL object is of no use to an HTTP client.
    if (known->code() == errc::schema_outdated) {
        return {errc::schema_outdated,
                "the schema of the database is missing or too old; run `postrider migrate up`"};
    }
    // Class 22: invalid input values, for example '22P02'.
    if (known->code() == errc::database_error && state.starts_with("22")) {
        return {errc::invalid_argument, "a value in the request is invalid"};
    }
    if (known->code() == errc::database_error) {
        return {.code = errc::database_error,
                .detail = "the database reported SQLSTATE " + state,
                .retryable = known->retryable()};
    }
    return {.code = known->code(),
            .detail = without_sql(*known),
            .retryable = known->retryable(),
            .retry_after = known->code() == errc::too_many_requests ? 5 : 0};
}

}  // namespace postrider::serve
