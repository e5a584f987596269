#include "bench/brokers/broker_side.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "base/descriptor.hpp"
#include "base/uuid.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

sockaddr_in loopback(int port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    made.sin_port = htons(static_cast<std::uint16_t>(port));
    return made;
}

int free_port() {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    auto address = loopback(0);
    socklen_t length = sizeof address;
    auto* where = reinterpret_cast<sockaddr*>(&address);
    if (::bind(one.get(), where, length) != 0 || ::getsockname(one.get(), where, &length) != 0) {
        throw std::runtime_error("no free port");
    }
    return ntohs(address.sin_port);
}

bool answers(int port) {
    const descriptor one(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback(port);
    return ::connect(one.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::filesystem::path new_directory() {
    auto pattern = (std::filesystem::temp_directory_path() / "postrider-broker-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no temporary directory");
    }
    return pattern;
}

}  // namespace

broker_process::broker_process(command_of command)
    : directory_(new_directory()), port_(free_port()) {
    const descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    spawn_options how;
    how.arguments = command(directory_, port_);
    how.output = nowhere.get();
    how.errors = nowhere.get();
    how.signal_on_parent_death = SIGKILL;
    process_ = std::make_unique<child_process>(how);
    constexpr auto patience = std::chrono::seconds(20);
    const stopwatch watch;
    while (!answers(port_)) {
        if (watch.elapsed() > seconds(patience).count() || process_->ended()) {
            throw std::runtime_error(how.arguments.front() + " does not answer");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

broker_process::~broker_process() {
    process_->signal(SIGKILL);
    process_->wait();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
}

event_list::event_list(int count) {
    payloads_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        payloads_.push_back(payload(i));
        event_fields one;
        one.id = uuid::time_ordered().bytes;
        one.event_type = usual_envelope.event_type;
        one.source = usual_envelope.source;
        one.occurred_at = std::chrono::system_clock::now();
        one.payload = payloads_.back();
        events_.emplace_back(one);
    }
}

}  // namespace postrider::bench
