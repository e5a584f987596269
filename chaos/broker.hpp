#pragma once

#include <cstdint>
#include <memory>
#include <postrider/source.hpp>
#include <postrider/worker.hpp>
#include <string>

namespace postrider::chaos {

// The broker of a run, seen by its processes. Functions throw when this build has no relay to NATS.

void make_broker_stream(const std::string& url);
/// Messages that the workers behind the broker have not acknowledged; -1: it does not answer.
std::int64_t left_in_stream(const std::string& url);
/// Full: the stream refuses every message until it is no longer full. Returns whether the broker
/// did it.
bool set_stream_full(const std::string& url, bool full);

/// The handler of the relay. Its runs are not recorded: the checker looks at the handlers behind
/// the broker.
void add_relay(worker& to, const std::string& url);
/// Of the workers behind the broker.
std::shared_ptr<source> branch_source(const std::string& url);

}  // namespace postrider::chaos
