#include <array>
#include <cstddef>
#include <postrider/error.hpp>
#include <utility>

namespace postrider {
namespace {

constexpr std::array table{
#define POSTRIDER_ERROR(name, sqlstate, http_status, exit_code, meaning) \
    error_info{errc::name, #name, sqlstate, http_status, exit_code, meaning},
#include "base/errors.def"
#undef POSTRIDER_ERROR
};

// The public enumeration repeats the table for readers of the header. Both must have the same
// order: describe() indexes by code.
constexpr bool table_follows_the_enumeration() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].code) != i) {
            return false;
        }
    }
    return table.back().code == errc::too_many_requests;
}
static_assert(table_follows_the_enumeration(), "errors.def and errc must list the same errors");

}  // namespace

std::span<const error_info> error_table() noexcept { return table; }

const error_info& describe(errc code) noexcept { return table[static_cast<std::size_t>(code)]; }

error::error(errc code, const std::string& message, error_detail detail)
    : std::runtime_error(message), code_(code), detail_(std::move(detail)) {}

connection_error::connection_error(const std::string& message, error_detail detail)
    : error(errc::connection_failed, message, std::move(detail)) {}

commit_unknown_error::commit_unknown_error(const std::string& message, error_detail detail)
    : error(errc::commit_unknown, message, std::move(detail)) {}

schema_error::schema_error(errc code, const std::string& message, error_detail detail)
    : error(code, message, std::move(detail)) {}

usage_error::usage_error(const std::string& message, error_detail detail)
    : error(errc::invalid_argument, message, std::move(detail)) {}

usage_error::usage_error(errc code, const std::string& message, error_detail detail)
    : error(code, message, std::move(detail)) {}

// Out of line so that each type has one home and is caught across shared library borders.
error::~error() = default;
connection_error::~connection_error() = default;
commit_unknown_error::~commit_unknown_error() = default;
schema_error::~schema_error() = default;
usage_error::~usage_error() = default;

}  // namespace postrider
