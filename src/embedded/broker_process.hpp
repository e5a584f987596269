#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"

namespace postrider::embedded {

enum class broker_kind { nats, redis };

/// A broker on a port of the loopback address, for demos, benchmarks and fault injection: it keeps
/// its data in a directory of its own, has no users and ends with this process. Blocking; for one
/// thread at a time.
class broker_process {
  public:
    /// Throws config_error when the program is not installed. Does not start it.
    broker_process(broker_kind kind, std::filesystem::path directory);

    /// Returns when it accepts connections. Throws with the end of its log, and for a directory
    /// that require_safe_path() refuses.
    void start();
    /// SIGTERM, and SIGKILL when it does not end.
    void stop();
    /// SIGKILL, as a crash.
    void kill();
    void signal(int number) const;
    bool running();

    int port() const { return port_; }
    std::string url() const;

  private:
    std::vector<std::string> command() const;
    std::filesystem::path log() const { return directory_ / "log"; }

    const broker_kind kind_;
    const std::filesystem::path directory_;
    const std::string program_;
    int port_;
    std::unique_ptr<child_process> process_;
};

}  // namespace postrider::embedded
