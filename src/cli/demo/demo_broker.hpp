#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <postrider/source.hpp>
#include <postrider/worker.hpp>
#include <string>

#include "embedded/broker_process.hpp"

namespace postrider::cli::demo {

/// The shop on JetStream: a relay brings its messages to a stream, and consumers receive from it.
class broker_side {
  public:
    /// `broker` is the address of a NATS server, or "nats": then a private one runs, with its data
    /// in `directory`. Throws usage_error for anything else.
    broker_side(const std::string& broker, const std::filesystem::path& directory,
                const std::string& database);

    void start() { relay_->start(); }
    /// Call it after the shop has closed.
    void stop();
    /// First attempts of a consumer of these events.
    std::shared_ptr<source> source_for(const std::string& consumer,
                                       const std::string& event_type) const;
    const std::string& url() const { return url_; }

  private:
    std::optional<embedded::broker_process> server_;
    std::string url_;
    std::unique_ptr<worker> relay_;
};

}  // namespace postrider::cli::demo
