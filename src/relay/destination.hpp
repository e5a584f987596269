#pragma once

#include <optional>
#include <postrider/event.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::relaying {

/// A template over the envelope: "orders.{event_type}". "{{" and "}}" stand for braces.
class destination {
  public:
    enum class encoding {
        plain,
        url,  ///< values are percent-encoded
    };
    /// Throws usage_error for a field that does not exist and for an unmatched brace.
    destination(std::string_view text, encoding how);

    /// The text for a message. Nothing when the message has no value for a field, or one that would
    /// change the path of a URL; `problem` says why.
    std::optional<std::string> of(const event& event, std::string& problem) const;
    /// The constant text before the first field.
    std::string_view beginning() const { return parts_.front().text; }
    bool has_fields() const { return parts_.size() > 1; }

  private:
    using getter = std::optional<std::string> (*)(const event&);
    struct part {
        std::string text;        ///< constant
        std::string field = {};  ///< then this one, unless it is the last part
        getter value = nullptr;
    };
    encoding how_;
    std::vector<part> parts_;
};

}  // namespace postrider::relaying
