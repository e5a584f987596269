#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace postrider::test {

/// What in `value` does not fit `schema`, as lines; empty when all of it does. Knows the part of
/// JSON Schema that the API's description uses, and complains about any other.
std::string schema_problems(const nlohmann::json& document, const nlohmann::json& schema,
                            const nlohmann::json& value, const std::string& where = "");

}  // namespace postrider::test
