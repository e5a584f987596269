#include <postrider/transaction.hpp>

#include "pg/result.hpp"

namespace postrider {
namespace {

const pg::result& rows_of(const std::shared_ptr<const void>& result) {
    static const pg::result none;
    return result ? *static_cast<const pg::result*>(result.get()) : none;
}

}  // namespace

int rows::size() const noexcept { return rows_of(result_).rows(); }

int rows::columns() const noexcept { return rows_of(result_).columns(); }

long long rows::affected() const { return result_ ? rows_of(result_).affected() : 0; }

// For an index out of range libpq returns null and calls the notice processor.
bool rows::is_null(int row, int column) const noexcept {
    return !has(row, column) || rows_of(result_).is_null(row, column);
}

std::string_view rows::text(int row, int column) const noexcept {
    return has(row, column) ? rows_of(result_).text(row, column) : std::string_view();
}

std::optional<std::string_view> rows::get(int row, int column) const noexcept {
    return is_null(row, column) ? std::nullopt : std::optional(text(row, column));
}

bool rows::has(int row, int column) const noexcept {
    return row >= 0 && row < size() && column >= 0 && column < columns();
}

}  // namespace postrider
