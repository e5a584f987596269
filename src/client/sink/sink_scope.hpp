#pragma once

#include <memory>
#include <postrider/sink.hpp>

namespace postrider::client {

/// During its lifetime, messages that this thread publishes are reported to this sink in addition
/// to the default sink. Null: none.
class sink_scope {
  public:
    explicit sink_scope(std::shared_ptr<sink> own) noexcept;
    sink_scope(const sink_scope&) = delete;
    sink_scope& operator=(const sink_scope&) = delete;
    ~sink_scope();

  private:
    std::shared_ptr<sink> own_;
    const std::shared_ptr<sink>* before_;
};

/// The sink for messages that this thread publishes; null: none.
std::shared_ptr<sink> publish_sink();

}  // namespace postrider::client
