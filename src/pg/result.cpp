#include "pg/result.hpp"

#include <libpq-fe.h>

#include <charconv>
#include <postrider/error.hpp>

namespace postrider::pg {
namespace {

[[noreturn]] void throw_unreadable(std::string_view expected, std::string_view text) {
    throw error(errc::database_error, "the database returned '" + std::string(text) + "' where " +
                                          std::string(expected) + " was expected");
}

template <typename T>
T parse(std::string_view expected, std::string_view text) {
    T value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        throw_unreadable(expected, text);
    }
    return value;
}

// Network byte order, sign-extended from the width that was sent.
std::int64_t decode_integer(std::string_view bytes) {
    if (bytes.size() != 1 && bytes.size() != 2 && bytes.size() != 4 && bytes.size() != 8) {
        throw_unreadable("a binary integer", "(" + std::to_string(bytes.size()) + " bytes)");
    }
    std::uint64_t value = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0 ? ~0ULL : 0ULL;
    for (const char byte : bytes) {
        value = (value << 8U) | static_cast<unsigned char>(byte);
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace

void result::clear::operator()(pg_result* raw) const noexcept { PQclear(raw); }

result::result(pg_result* raw) : raw_(raw) {}

int result::rows() const noexcept { return PQntuples(raw_.get()); }

int result::columns() const noexcept { return PQnfields(raw_.get()); }

std::int64_t result::affected() const {
    const std::string_view count = PQcmdTuples(raw_.get());
    return count.empty() ? 0 : parse<std::int64_t>("a row count", count);
}

std::string_view result::command() const noexcept {
    const char* status = PQcmdStatus(raw_.get());
    return status == nullptr ? "" : status;
}

std::string_view result::column_name(int column) const noexcept {
    const char* name = PQfname(raw_.get(), column);
    return name == nullptr ? "" : name;
}

int result::column(const char* name) const {
    const int index = PQfnumber(raw_.get(), name);
    if (index < 0) {
        throw error(errc::database_error, "the result has no column '" + std::string(name) + "'");
    }
    return index;
}

bool result::is_null(int row, int column) const noexcept {
    return PQgetisnull(raw_.get(), row, column) != 0;
}

std::string_view result::text(int row, int column) const noexcept {
    const char* value = PQgetvalue(raw_.get(), row, column);
    if (value == nullptr) {
        return {};
    }
    return {value, static_cast<std::size_t>(PQgetlength(raw_.get(), row, column))};
}

void result::require_value(int row, int column) const {
    if (row >= rows() || column >= columns()) {
        throw error(errc::database_error, "the result has no row " + std::to_string(row) +
                                              ", column " + std::to_string(column));
    }
    if (is_null(row, column)) {
        throw error(errc::database_error,
                    "column '" + std::string(PQfname(raw_.get(), column)) + "' is null");
    }
}

bool result::get_bool(int row, int column) const {
    require_value(row, column);
    const auto value = text(row, column);
    if (value.size() != 1) {
        throw_unreadable("a boolean", value);
    }
    return PQfformat(raw_.get(), column) == 1 ? value[0] != 0 : value[0] == 't';
}

std::int64_t result::get_integer(int row, int column) const {
    require_value(row, column);
    const auto value = text(row, column);
    return PQfformat(raw_.get(), column) == 1 ? decode_integer(value)
                                              : parse<std::int64_t>("an integer", value);
}

double result::get_double(int row, int column) const {
    require_value(row, column);
    return parse<double>("a number", text(row, column));
}

void result::throw_out_of_range(std::int64_t value) {
    throw error(errc::database_error,
                "the database returned " + std::to_string(value) + ", which is out of range here");
}

}  // namespace postrider::pg
