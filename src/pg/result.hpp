#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

struct pg_result;

namespace postrider::pg {

/// Rows of one statement. Text accessors point into the result and live as long as it does.
class result {
  public:
    result() = default;
    /// Takes ownership.
    explicit result(pg_result* raw);

    int rows() const noexcept;
    int columns() const noexcept;
    bool empty() const noexcept { return rows() == 0; }
    std::int64_t affected() const;  ///< rows touched by an insert, update, delete or copy
    std::string_view command() const noexcept;  ///< e.g. "INSERT 0 1"
    std::string_view column_name(int column) const noexcept;
    int column(const char* name) const;  ///< throws when there is none

    bool is_null(int row, int column) const noexcept;
    std::string_view text(int row, int column) const noexcept;  ///< empty for null

    /// T: std::string_view, std::string, bool, integers, double, or std::optional of these.
    /// Converts text results and, for bool and integers, binary ones too. Null without optional
    /// throws.
    template <typename T>
    T get(int row, int column) const {
        if constexpr (is_optional<T>::value) {
            if (is_null(row, column)) {
                return std::nullopt;
            }
            return get<typename T::value_type>(row, column);
        } else if constexpr (std::same_as<T, std::string_view> || std::same_as<T, std::string>) {
            require_value(row, column);
            return T(text(row, column));
        } else if constexpr (std::same_as<T, bool>) {
            return get_bool(row, column);
        } else if constexpr (std::integral<T>) {
            return narrow<T>(get_integer(row, column));
        } else {
            static_assert(std::same_as<T, double>, "no conversion to this type");
            return get_double(row, column);
        }
    }

    pg_result* raw() const noexcept { return raw_.get(); }

  private:
    template <typename T>
    struct is_optional : std::false_type {};
    template <typename T>
    struct is_optional<std::optional<T>> : std::true_type {};

    template <typename T>
    static T narrow(std::int64_t value) {
        const auto converted = static_cast<T>(value);
        if (static_cast<std::int64_t>(converted) != value) {
            throw_out_of_range(value);
        }
        return converted;
    }

    [[noreturn]] static void throw_out_of_range(std::int64_t value);
    void require_value(int row, int column) const;
    bool get_bool(int row, int column) const;
    std::int64_t get_integer(int row, int column) const;
    double get_double(int row, int column) const;

    struct clear {
        void operator()(pg_result* raw) const noexcept;
    };
    std::unique_ptr<pg_result, clear> raw_;
};

}  // namespace postrider::pg
