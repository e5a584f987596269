#pragma once

#include <memory>
#include <postrider/event.hpp>
#include <postrider/export.hpp>
#include <postrider/message.hpp>
#include <span>
#include <vector>

namespace postrider::client {

/// Events made from messages without a server, as if they had been published: checked, filled in,
/// and with texts of their own. Exported for postrider::testing.
class POSTRIDER_EXPORT owned_events {
  public:
    explicit owned_events(std::vector<message> published);
    owned_events(owned_events&&) noexcept;
    owned_events& operator=(owned_events&&) noexcept;
    ~owned_events();

    std::span<const event> all() const;

  private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace postrider::client
