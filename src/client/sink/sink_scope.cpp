#include "client/sink/sink_scope.hpp"

#include <utility>

namespace postrider::client {
namespace {

thread_local const std::shared_ptr<sink>* current_sink = nullptr;

}  // namespace

sink_scope::sink_scope(std::shared_ptr<sink> own) noexcept
    : own_(std::move(own)), before_(current_sink) {
    current_sink = own_ ? &own_ : nullptr;
}

sink_scope::~sink_scope() { current_sink = before_; }

std::shared_ptr<sink> publish_sink() {
    auto everywhere = default_sink();
    if (current_sink == nullptr || *current_sink == everywhere) {
        return everywhere;
    }
    return fan_out(std::move(everywhere), *current_sink);
}

}  // namespace postrider::client
