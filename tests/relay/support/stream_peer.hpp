#pragma once

#include <memory>
#include <postrider/relay.hpp>
#include <string>
#include <vector>

namespace postrider::test {

/// A broker with a stream "S", written and inspected by a client of its own.
class stream_peer {
  public:
    virtual ~stream_peer() = default;

    /// As a power failure.
    virtual void kill_server() = 0;
    virtual void start_server() = 0;
    /// Starts the server if necessary, connects, and makes the stream.
    virtual void open() = 0;
    /// After the server was started again.
    virtual void reopen() = 0;
    virtual void send(const std::vector<std::pair<std::string, std::string>>& headers,
                      const std::string& body) = 0;
    /// Messages that the group has not acknowledged, handed out or not.
    virtual long unacknowledged(const std::string& group) = 0;
    virtual relay_options relay_to() const = 0;
    virtual std::string url() const = 0;

    /// A CloudEvent without a relay.
    void send_event(const std::string& id, const std::string& type = "order.placed",
                    const std::string& body = "{}", int cycle = 1);

  protected:
    virtual std::string prefix() const = 0;  ///< of CloudEvents attributes
};

std::unique_ptr<stream_peer> make_nats_stream();
std::unique_ptr<stream_peer> make_redis_stream();
/// A topic with two partitions.
std::unique_ptr<stream_peer> make_kafka_stream();

}  // namespace postrider::test
