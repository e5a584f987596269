#pragma once

#include <postrider/error.hpp>
#include <string>
#include <string_view>

namespace postrider::serve {

/// What an answer looks like when something went wrong: RFC 9457.
struct problem {
    errc code;
    std::string detail;
    int status = 0;  ///< 0: that of the code
    bool retryable = false;
    int retry_after = 0;  ///< seconds

    int http_status() const { return status != 0 ? status : describe(code).http_status; }
    std::string json() const;
};

/// From what a route threw. Texts of the database that are not ours may hold data and stay here.
problem problem_of(const std::exception& thrown);

inline constexpr auto problem_type = "application/problem+json";

}  // namespace postrider::serve
