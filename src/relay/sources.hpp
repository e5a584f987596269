#pragma once

#include <cstddef>
#include <memory>
#include <postrider/relay.hpp>

#include "relay/relay_url.hpp"

namespace postrider::relaying {

/// Of the messages of one fetch. A larger one is not fetched: its memory would be a producer's
/// choice.
inline constexpr std::size_t message_bytes_max = std::size_t{64} << 20;

// One function per broker; each throws usage_error for options that cannot work.
std::shared_ptr<source> nats_source(const relay_url& from, const source_options& options);
std::shared_ptr<source> redis_source(const relay_url& from, const source_options& options);
std::shared_ptr<source> kafka_source(const relay_url& from, const source_options& options);

}  // namespace postrider::relaying
