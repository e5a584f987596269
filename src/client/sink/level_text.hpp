#pragma once

#include <postrider/sink.hpp>
#include <string_view>

namespace postrider {

constexpr std::string_view to_string(level of) noexcept {
    switch (of) {
        case level::debug:
            return "debug";
        case level::info:
            return "info";
        case level::warning:
            return "warning";
        case level::error:
            break;
    }
    return "error";
}

}  // namespace postrider
