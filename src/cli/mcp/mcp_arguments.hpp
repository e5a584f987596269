#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli::mcp {

/// The arguments of a tool, a JSON object. Reading an argument of the wrong type throws an
/// rpc::refusal that names it.
class arguments {
  public:
    explicit arguments(nlohmann::json object) : values_(std::move(object)) {}

    std::optional<std::string> text(const std::string& name);
    std::optional<std::int64_t> integer(const std::string& name, std::int64_t low,
                                        std::int64_t high);
    std::optional<double> number(const std::string& name);
    std::optional<nlohmann::json> object(const std::string& name);
    /// Throws for arguments that were not read. Call it after reading all known ones.
    void refuse_others() const;

  private:
    /// Null for an absent argument.
    const nlohmann::json* find(const std::string& name);

    nlohmann::json values_;
    std::vector<std::string> asked_;
};

}  // namespace postrider::cli::mcp
