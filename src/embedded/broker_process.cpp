#include "embedded/broker_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <postrider/error.hpp>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/descriptor.hpp"
#include "embedded/files/safe_path.hpp"
#include "embedded/postmaster.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr auto start_timeout = 30s;

const char* program_name(broker_kind kind) {
    return kind == broker_kind::nats ? "nats-server" : "redis-server";
}

// Debian installs nats-server in a directory that is not in the PATH of users.
std::string find_program(broker_kind kind) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(std::string(path == nullptr ? "" : path) +
                               ":/usr/sbin:/usr/local/sbin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto file = fs::path(folder) / program_name(kind);
        if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) {
            return file.string();
        }
    }
    throw error(errc::config_invalid, std::string(program_name(kind)) +
                                          " is not installed; install the package " +
                                          program_name(kind));
}

sockaddr_in loopback_port(int port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    made.sin_port = htons(static_cast<std::uint16_t>(port));
    return made;
}

int free_loopback_port() {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    auto address = loopback_port(0);
    socklen_t length = sizeof address;
    auto* where = reinterpret_cast<sockaddr*>(&address);
    if (::bind(one.get(), where, length) != 0 || ::getsockname(one.get(), where, &length) != 0) {
        throw std::system_error(errno, std::generic_category(), "a port for the broker");
    }
    return ntohs(address.sin_port);
}

bool accepts_connections(int port) {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback_port(port);
    return ::connect(one.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

broker_process::broker_process(broker_kind kind, fs::path directory)
    : kind_(kind),
      directory_(std::move(directory)),
      program_(find_program(kind)),
      port_(free_loopback_port()) {}

std::string broker_process::url() const {
    return std::string(kind_ == broker_kind::nats ? "nats" : "redis") +
           "://127.0.0.1:" + std::to_string(port_);
}

std::vector<std::string> broker_process::command() const {
    if (kind_ == broker_kind::nats) {
        const auto file = directory_ / "nats.conf";
        std::ofstream(file) << "listen: \"127.0.0.1:" << port_ << "\"\njetstream { store_dir: \""
                            << (directory_ / "data").string() << "\" }\n";
        return {program_, "-c", file.string()};
    }
    return {program_,
            "--port",
            std::to_string(port_),
            "--bind",
            "127.0.0.1",
            "--dir",
            directory_.string(),
            "--save",
            "",
            "--appendonly",
            "yes"};
}

void broker_process::start() {
    require_safe_path(directory_);
    fs::create_directories(directory_);
    const descriptor output(
        ::open(log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR));
    const auto silence = null_device();
    process_ = std::make_unique<child_process>(spawn_options{.arguments = command(),
                                                             .input = silence.get(),
                                                             .output = output.get(),
                                                             .errors = output.get(),
                                                             .signal_on_parent_death = SIGKILL,
                                                             .process_group = true});
    const auto deadline = std::chrono::steady_clock::now() + start_timeout;
    while (!accepts_connections(port_)) {
        if (process_->ended() || std::chrono::steady_clock::now() > deadline) {
            throw error(errc::config_invalid, std::string(program_name(kind_)) +
                                                  " does not start; the end of its log:\n" +
                                                  tail_of(log()));
        }
        std::this_thread::sleep_for(5ms);
    }
}

void broker_process::stop() {
    if (process_) {
        process_->signal(SIGCONT);
        process_->signal(SIGTERM);
        if (!process_->wait_for(10s)) {
            process_->signal(SIGKILL);
            process_->wait();
        }
        process_.reset();
    }
}

void broker_process::kill() {
    if (process_) {
        process_->signal(SIGKILL);
        process_->wait();
        process_.reset();
    }
}

void broker_process::signal(int number) const {
    if (process_) {
        process_->signal(number);
    }
}

bool broker_process::running() { return process_ && !process_->ended(); }

}  // namespace postrider::embedded
