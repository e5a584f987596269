#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_members.hpp"

namespace postrider::cli::mcp {

/// The arguments of a tool, an object that is known to be JSON. Whoever reads one of the wrong type
/// throws an rpc::refusal that names it, and so does a name that nobody has asked for.
class arguments {
  public:
    explicit arguments(std::string object)
        : text_(std::move(object)), members_(json_members(text_)) {}
    arguments(const arguments&) = delete;
    arguments& operator=(const arguments&) = delete;

    std::optional<std::string> text(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::string_view name);
    /// As it was written.
    std::optional<std::string> object(std::string_view name);
    /// After all that are known were asked for.
    void refuse_others() const;

  private:
    std::optional<std::string_view> find(std::string_view name);

    std::string text_;
    std::vector<json_member> members_;
    std::vector<std::string_view> asked_;
};

}  // namespace postrider::cli::mcp
