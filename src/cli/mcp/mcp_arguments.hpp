#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_members.hpp"

namespace postrider::cli::mcp {

/// The arguments of a tool, a valid JSON object. Reading an argument of the wrong type throws an
/// rpc::refusal that names it.
class arguments {
  public:
    explicit arguments(std::string object)
        : text_(std::move(object)), members_(json_members(text_)) {}
    arguments(const arguments&) = delete;
    arguments& operator=(const arguments&) = delete;

    std::optional<std::string> text(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::string_view name);
    /// As JSON text.
    std::optional<std::string> object(std::string_view name);
    /// Throws for arguments that were not read. Call it after reading all known ones.
    void refuse_others() const;

  private:
    std::optional<std::string_view> find(std::string_view name);

    std::string text_;
    std::vector<json_member> members_;
    std::vector<std::string_view> asked_;
};

}  // namespace postrider::cli::mcp
