#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

namespace postrider::cli {

/// Prints to stderr and ignores write errors, for which fmt::print would throw: they must not
/// change the exit code.
void put_error(const std::string& text);

template <typename... Values>
void say(fmt::format_string<Values...> form, Values&&... values) {
    put_error(fmt::format(form, std::forward<Values>(values)...));
}

/// Opens closed standard streams such that reads and writes fail. Otherwise the next descriptor,
/// for example a database socket, would take their number and receive the output.
void keep_standard_streams();

}  // namespace postrider::cli
