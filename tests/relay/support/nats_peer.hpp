#pragma once

#include <nats/nats.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::test {

/// Makes a stream and reads it, as a consumer of NATS would.
class nats_peer {
  public:
    struct stored {
        std::string subject;
        std::string data;
        std::map<std::string, std::string> headers;
    };
    explicit nats_peer(const std::string& url);
    nats_peer(const nats_peer&) = delete;
    nats_peer& operator=(const nats_peer&) = delete;
    ~nats_peer();

    /// A stream on disk named S.
    void add_stream(const std::string& subjects);
    std::size_t count() const;
    /// Simulates a broker that loses acknowledged messages.
    void lose(std::uint64_t sequence) const;
    std::vector<stored> all() const;
    /// The value of a header of every message.
    std::vector<std::string> header(const std::string& name) const;

  private:
    natsConnection* connection_ = nullptr;
    jsCtx* stream_ = nullptr;
};

}  // namespace postrider::test
