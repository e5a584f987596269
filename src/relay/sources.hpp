#pragma once

#include <memory>
#include <postrider/relay.hpp>

#include "relay/relay_url.hpp"

namespace postrider::relaying {

// One function per broker; each throws usage_error for options that cannot work.
std::shared_ptr<source> nats_source(const relay_url& from, const source_options& options);
std::shared_ptr<source> redis_source(const relay_url& from, const source_options& options);
std::shared_ptr<source> kafka_source(const relay_url& from, const source_options& options);

}  // namespace postrider::relaying
