#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace postrider::test {

/// The violations of `schema` in `value`, one per line; empty when there are none. Supports the
/// part of JSON Schema that the API's description uses, and reports any other keyword.
std::string schema_problems(const nlohmann::json& document, const nlohmann::json& schema,
                            const nlohmann::json& value, const std::string& where = "");

}  // namespace postrider::test
