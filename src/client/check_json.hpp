#pragma once

#include <cstddef>
#include <string_view>

namespace postrider::client {

/// What reading a text as JSON found.
struct json_finding {
    const char* problem = nullptr;  ///< null: PostgreSQL takes the text as jsonb
    std::size_t at = 0;             ///< the byte the problem is at
    bool object = false;            ///< the outermost value is an object
};

/// Accepts exactly what PostgreSQL's jsonb accepts in a UTF-8 database, except for nesting too deep
/// for the server's stack. Keeps nothing of what it reads.
json_finding check_json(std::string_view text);

}  // namespace postrider::client
