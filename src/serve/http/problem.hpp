#pragma once

#include <postrider/error.hpp>
#include <string>
#include <string_view>

namespace postrider::serve {

/// The body of an error response: RFC 9457.
struct problem {
    errc code;
    std::string detail;
    int status = 0;  ///< 0: the status of the code
    bool retryable = false;
    int retry_after = 0;  ///< seconds

    int http_status() const { return status != 0 ? status : describe(code).http_status; }
    std::string json() const;
};

/// Maps an exception of a route. Other texts of the database may contain data and are not sent.
problem problem_of(const std::exception& thrown);

inline constexpr auto problem_type = "application/problem+json";

}  // namespace postrider::serve
