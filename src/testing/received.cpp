#include <postrider/testing.hpp>

#include "client/owned_events.hpp"

namespace postrider::testing {

struct received::state {
    client::owned_events events;
};

received::received(message published) : received(std::vector{std::move(published)}) {}

received::received(std::vector<message> published)
    : state_(std::make_unique<state>(state{client::owned_events(std::move(published))})) {}

received::received(received&&) noexcept = default;
received& received::operator=(received&&) noexcept = default;
received::~received() = default;

std::span<const event> received::all() const { return state_->events.all(); }

}  // namespace postrider::testing
