#include "pg/errors.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace postrider::pg {
namespace {

std::string trimmed(const char* text) {
    std::string message = text == nullptr ? "" : text;
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) {
        message.pop_back();
    }
    return message;
}

std::string field(const PGresult* result, int code) {
    return result == nullptr ? std::string{} : trimmed(PQresultErrorField(result, code));
}

// " (line 12)", for scripts of more than one line. The server counts characters and this function
// bytes, so the line can be wrong after non-ASCII text.
std::string line_of_complaint(const PGresult* result, std::string_view sql) {
    const auto position = field(result, PG_DIAG_STATEMENT_POSITION);
    if (position.empty() || sql.find('\n') == std::string_view::npos) {
        return {};
    }
    const auto offset = static_cast<std::size_t>(std::strtoul(position.c_str(), nullptr, 10));
    const auto before = sql.substr(0, offset);
    return " (line " + std::to_string(1 + std::ranges::count(before, '\n')) + ")";
}

std::string message_of(PGconn* connection, const PGresult* result, std::string_view operation) {
    auto message = field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (message.empty() && result != nullptr) {
        message = trimmed(PQresultErrorMessage(result));
    }
    if (message.empty()) {
        message = trimmed(PQerrorMessage(connection));
    }
    if (const auto detail = field(result, PG_DIAG_MESSAGE_DETAIL); !detail.empty()) {
        message += " (" + detail + ")";
    }
    if (const auto hint = field(result, PG_DIAG_MESSAGE_HINT); !hint.empty()) {
        message += "; hint: " + hint;
    }
    return operation.empty() ? message : std::string(operation) + ": " + message;
}

bool continues_name(char c) {
    return c == '_' || c == '-' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

// Whether an object of the schema is missing. The error text is in the server's language, so only
// the name is searched: "postrider" for the schema, "postrider.message" for a table,
// "postrider.claim(" for a function, but not a type in the arguments of another function.
bool misses_schema(std::string_view sqlstate, std::string_view said) {
    constexpr std::string_view schema = "postrider";
    const auto at = said.find(schema);
    if (at == std::string_view::npos || (at > 0 && continues_name(said[at - 1]))) {
        return false;
    }
    const auto rest = said.substr(at + schema.size());
    if (sqlstate == "3F000") {
        return rest.empty() || !continues_name(rest.front());
    }
    if (!rest.starts_with('.')) {
        return false;
    }
    const auto* const end = std::find_if_not(rest.begin() + 1, rest.end(), continues_name);
    return sqlstate == "42P01" ||
           (sqlstate == "42883" && said.find('(') > at && end != rest.end() && *end == '(');
}

[[noreturn]] void throw_schema_missing(const std::string& message, error_detail detail) {
    throw schema_error(
        errc::schema_outdated,
        "the schema is missing or too old; run `postrider migrate up` (" + message + ")",
        std::move(detail));
}

}  // namespace

errc code_for(std::string_view sqlstate) noexcept {
    if (sqlstate.starts_with("PR")) {
        const auto table = error_table();
        const auto found = std::ranges::find(table, sqlstate, &error_info::sqlstate);
        return found == table.end() ? errc::database_error : found->code;
    }
    if (sqlstate == "42501") {
        return errc::permission_denied;
    }
    return is_connection_loss(sqlstate) ? errc::connection_failed : errc::database_error;
}

bool is_connection_loss(std::string_view sqlstate) noexcept {
    // 57P01..57P05: shutdown, crash, still starting, database dropped, idle session. 25P03 is the
    // server closing a session that idled in a transaction.
    return sqlstate.starts_with("08") || sqlstate.starts_with("57P") || sqlstate == "25P03";
}

bool is_retryable(std::string_view sqlstate) noexcept {
    static constexpr std::array<std::string_view, 4> states{"40001", "40P01", "55P03", "57014"};
    return sqlstate.starts_with("53") || is_connection_loss(sqlstate) ||
           std::ranges::find(states, sqlstate) != states.end();
}

void throw_error(PGconn* connection, const PGresult* result, std::string_view operation,
                 std::string_view sql) {
    error_detail detail;
    detail.sqlstate = field(result, PG_DIAG_SQLSTATE);
    detail.operation = operation;
    detail.connection_lost =
        is_connection_loss(detail.sqlstate) || PQstatus(connection) == CONNECTION_BAD;
    detail.retryable = detail.connection_lost || is_retryable(detail.sqlstate);
    const auto message = message_of(connection, result, operation) + line_of_complaint(result, sql);
    const auto code = detail.connection_lost ? errc::connection_failed : code_for(detail.sqlstate);
    if (misses_schema(detail.sqlstate, field(result, PG_DIAG_MESSAGE_PRIMARY))) {
        throw_schema_missing(message, std::move(detail));
    }
    switch (code) {
        case errc::connection_failed:
            throw connection_error(message, std::move(detail));
        case errc::schema_outdated:
        case errc::schema_newer:
        case errc::schema_drift:
        case errc::cluster_changed:
        case errc::deployment_mismatch:
            throw schema_error(code, message, std::move(detail));
        case errc::invalid_argument:
        case errc::invalid_name:
        case errc::too_large:
        case errc::wrong_isolation:
            throw usage_error(code, message, std::move(detail));
        default:
            throw error(code, message, std::move(detail));
    }
}

}  // namespace postrider::pg
