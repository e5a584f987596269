#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <postrider/relay.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/child_process.hpp"

namespace postrider::bench {

/// A directory of its own and a port of the loopback address for a broker, which runs in it.
class broker_process {
  public:
    /// `command` gets the directory and the port. Returns when the port answers.
    using command_of = std::vector<std::string> (*)(const std::filesystem::path&, int);
    explicit broker_process(command_of command);
    broker_process(const broker_process&) = delete;
    broker_process& operator=(const broker_process&) = delete;
    ~broker_process();

    int port() const { return port_; }

  private:
    std::filesystem::path directory_;
    int port_;
    std::unique_ptr<child_process> process_;
};

/// Events in memory, like the messages that fill() loads into a log.
class event_list {
  public:
    explicit event_list(int count);
    std::span<const event> events() const { return events_; }

  private:
    std::vector<std::string> payloads_;
    std::vector<event> events_;
};

/// A broker with one empty stream, and its client library used directly.
class broker_side {
  public:
    virtual ~broker_side() = default;
    virtual relay_options relay_to() const = 0;
    virtual source_options source_of(const std::string& group) const = 0;
    /// Publishes with the relay's envelope, without waiting in between; returns when the broker has
    /// acknowledged all.
    virtual void publish(std::span<const event> all) = 0;
    /// Fetches and acknowledges that many messages for a group.
    virtual void consume(const std::string& group, int count) = 0;
};

// Each starts a broker of its own.
std::unique_ptr<broker_side> make_nats_side();
std::unique_ptr<broker_side> make_redis_side();
std::unique_ptr<broker_side> make_kafka_side();

}  // namespace postrider::bench
