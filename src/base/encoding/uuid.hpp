#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace postrider {

/// Sixteen bytes, in the order PostgreSQL sends them.
struct uuid {
    std::array<std::uint8_t, 16> bytes{};

    /// Version 4: random, for ids of workers and other secrets of one process.
    static uuid random();
    /// Version 7: begins with the time, so that ids sort by it and indexes on them stay small.
    static uuid time_ordered();
    /// Throws usage_error for anything but 8-4-4-4-12 hexadecimal digits.
    static uuid parse(std::string_view text);
    /// Takes the sixteen bytes of a binary result.
    static uuid from_bytes(std::string_view binary);

    std::string text() const;
    std::string_view as_bytes() const {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    friend auto operator<=>(const uuid&, const uuid&) = default;
};

}  // namespace postrider
