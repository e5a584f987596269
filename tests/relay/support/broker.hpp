#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/free_port.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {

/// Whether a process listens on this port of the loopback address.
bool answers(int port);
/// The path of a server program; throws when it is not installed.
std::string server_program(const std::string& name);

/// A real broker on the loopback address, with a data directory of its own.
class broker {
  public:
    broker() : port_(free_port()) {}
    broker(const broker&) = delete;
    broker& operator=(const broker&) = delete;
    virtual ~broker() = default;

    int port() const { return port_; }
    std::string place() const { return "127.0.0.1:" + std::to_string(port_); }

    /// Returns when it accepts connections.
    void start();
    /// As a power failure of the process: SIGKILL.
    void kill();

  protected:
    virtual std::vector<std::string> command() const = 0;
    const std::filesystem::path& directory() const { return directory_.path(); }

  private:
    const int port_;
    scratch_directory directory_;
    std::unique_ptr<process> process_;
};

class nats_server : public broker {
  public:
    /// `settings` are lines of its configuration file.
    explicit nats_server(std::string settings = "") : settings_(std::move(settings)) {}
    std::string url() const { return "nats://" + place(); }

  protected:
    std::vector<std::string> command() const override;

  private:
    std::string settings_;
};

class redis_server : public broker {
  public:
    explicit redis_server(std::string password = "") : password_(std::move(password)) {}
    std::string url() const { return "redis://" + place(); }

  protected:
    std::vector<std::string> command() const override;

  private:
    std::string password_;
};

}  // namespace postrider::test
