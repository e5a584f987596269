#pragma once

#include <postrider/error.hpp>
#include <string>

namespace postrider {

/// The text of an error without the statement that failed, for readers that did not write it.
inline std::string without_statement(const error& problem) {
    std::string text = problem.what();
    const auto statement = problem.operation() + ": ";
    if (const auto at = text.find(statement); !problem.operation().empty() && at != text.npos) {
        text.erase(at, statement.size());
    }
    return text;
}

}  // namespace postrider
