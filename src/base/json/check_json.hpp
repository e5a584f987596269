#pragma once

#include <cstddef>
#include <string_view>

namespace postrider {

/// How deep arrays and objects may be nested, in every JSON document that Postrider reads from a
/// caller: messages, bodies of HTTP requests, MCP, files. Functions that
/// write or free a document may recurse; at this depth they need a few hundred kilobytes of stack.
constexpr std::size_t json_depth_max = 512;

/// The result of check_json().
struct json_finding {
    const char* problem = nullptr;  ///< null: PostgreSQL takes the text as jsonb
    std::size_t at = 0;             ///< the byte the problem is at
    bool object = false;            ///< the outermost value is an object
};

/// Accepts exactly the documents that PostgreSQL's jsonb accepts in a UTF-8 database, up to
/// json_depth_max. Stores nothing and does not recurse.
json_finding check_json(std::string_view text);

}  // namespace postrider
