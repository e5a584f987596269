#include <postrider/event.hpp>

#include "base/encoding/uuid.hpp"

namespace postrider {

std::string event::id() const { return uuid{fields_.id}.text(); }

std::optional<std::string> event::workspace_id() const {
    return fields_.workspace_id ? std::optional(uuid{*fields_.workspace_id}.text()) : std::nullopt;
}

std::string event::idempotency_key() const {
    return fields_.idempotency_key ? std::string(*fields_.idempotency_key) : id();
}

}  // namespace postrider
