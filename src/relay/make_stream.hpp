#pragma once

#include <postrider/relay.hpp>
#include <string>

namespace postrider::relaying {

/// Creates a stream of JetStream with its messages on disk, unless it exists. Uses from, stream,
/// timeout and credentials_file of the options. Throws usage_error for another broker, and
/// std::runtime_error when NATS cannot be reached or refuses the stream.
void make_stream(const source_options& of, const std::string& subjects);

}  // namespace postrider::relaying
