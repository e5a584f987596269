#pragma once

#include <optional>
#include <postrider/export.hpp>
#include <postrider/sink.hpp>
#include <string>
#include <string_view>

namespace postrider::client {

/// A span of its own in the trace of a W3C traceparent; nothing when the text is not one.
POSTRIDER_EXPORT std::optional<trace_ids> continue_trace(std::string_view traceparent);

/// The traceparent that names this span as the parent of later spans.
POSTRIDER_EXPORT std::string traceparent(const trace_ids& of);

/// While it lives, messages that this thread publishes belong to the given trace. Exported, as the
/// two above are, for postrider::testing.
class POSTRIDER_EXPORT trace_scope {
  public:
    explicit trace_scope(const std::string* traceparent) noexcept;
    trace_scope(const trace_scope&) = delete;
    trace_scope& operator=(const trace_scope&) = delete;
    ~trace_scope();

  private:
    const std::string* before_;
};

/// The traceparent of the handler that runs on this thread; null when there is none.
const std::string* current_traceparent() noexcept;

}  // namespace postrider::client
