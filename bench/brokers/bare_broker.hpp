#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/lab/lab.hpp"
#include "relay/publisher.hpp"

namespace postrider::bench {

/// Messages of a fetch.
inline constexpr int fetch_max = 500;

/// A broker, and a program without Postrider that uses the same client library. Functions throw
/// when the broker refuses a call.
class bare_broker {
  public:
    bare_broker() = default;
    bare_broker(const bare_broker&) = delete;
    bare_broker& operator=(const bare_broker&) = delete;
    virtual ~bare_broker() = default;

    virtual const char* name() const = 0;
    virtual relaying::binding headers() const = 0;
    /// An empty stream or topic.
    virtual void make_stream(const std::string& stream) = 0;
    virtual void remove_stream(const std::string& stream) = 0;
    virtual relay_options relay_to(const std::string& stream) const = 0;
    /// Sends without waiting for each acknowledgement; returns after the last one.
    virtual void publish(const std::string& stream, std::span<const relaying::outgoing> all) = 0;
};

/// A broker that a worker can be measured on.
class bare_queue : public bare_broker {
  public:
    virtual source_options source_from(const std::string& stream,
                                       const std::string& group) const = 0;
    /// Fetches and acknowledges this number of messages with a new group.
    virtual void consume(const std::string& stream, const std::string& group, int count) = 0;
};

/// A folder of the lab for the data of one broker.
std::filesystem::path new_broker_directory(const lab& where);

std::unique_ptr<bare_queue> start_nats(const lab& where);
std::unique_ptr<bare_queue> start_redis(const lab& where);
/// The cluster of librdkafka for tests: its protocol and its sockets, in this process.
std::unique_ptr<bare_broker> start_kafka();

}  // namespace postrider::bench
