#pragma once

#include <memory>
#include <postrider/sink.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace postrider::sinks {

/// A record that outlives the call that reported it. Its texts are copied into one piece of memory,
/// so that the reporting thread does little more than that. Only for records that are traced.
class kept_span {
  public:
    explicit kept_span(const publish_record& record);
    explicit kept_span(const handle_record& record);

    std::string json() const;

  private:
    // The views of the record point into it, wherever the span moves to.
    std::unique_ptr<char[]> memory_;
    trace_ids trace_;
    std::variant<publish_record, handle_record> record_;
};

}  // namespace postrider::sinks
