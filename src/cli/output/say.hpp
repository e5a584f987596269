#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

namespace postrider::cli {

/// Puts a text to stderr, if somebody can read it there. fmt::print would throw when not, and an
/// error that cannot be told is no reason to end in another way.
void put_error(const std::string& text);

template <typename... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
    put_error(fmt::format(form, std::forward<Values>(values)...));
}

/// Standard streams that nobody opened become ones that refuse. Otherwise the next descriptor, a
/// session of the database for example, takes their number and gets what was meant for them.
void keep_standard_streams();

}  // namespace postrider::cli
