#include "relay/support/broker.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

#include "base/descriptor.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

sockaddr_in loopback(int port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    made.sin_port = htons(static_cast<std::uint16_t>(port));
    return made;
}

}  // namespace

bool answers(int port) {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback(port);
    return ::connect(one.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::string server_program(const std::string& name) {
    for (const auto* folder : {"/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"}) {
        if (std::filesystem::exists(folder + name)) {
            return folder + name;
        }
    }
    throw std::runtime_error(name + " is not installed: ./dev test installs it");
}

void broker::start() {
    process_ = std::make_unique<process>(command());
    if (!eventually([this] { return answers(port_); })) {
        throw std::runtime_error("the broker does not answer: " + process_->output());
    }
}

void broker::kill() {
    process_->kill(SIGKILL);
    process_->wait();
}

std::vector<std::string> nats_server::command() const {
    const auto file = directory() / "nats.conf";
    std::ofstream(file) << "listen: \"" << place() << "\"\njetstream { store_dir: \""
                        << (directory() / "data").string() << "\" }\n"
                        << settings_ << "\n";
    return {server_program("nats-server"), "-c", file.string()};
}

std::vector<std::string> redis_server::command() const {
    std::vector<std::string> made{server_program("redis-server"),
                                  "--port",
                                  std::to_string(port()),
                                  "--bind",
                                  "127.0.0.1",
                                  "--dir",
                                  directory().string(),
                                  "--save",
                                  "",
                                  "--appendonly",
                                  "yes",
                                  "--appendfsync",
                                  "always"};
    if (!password_.empty()) {
        made.insert(made.end(), {"--requirepass", password_});
    }
    return made;
}

}  // namespace postrider::test
