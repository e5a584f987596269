#include "bench/surface/served_page.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <httplib.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "bench/lab/workload.hpp"
#include "pg/conninfo.hpp"

namespace postrider::bench {
namespace {

// The program that was built beside this one.
std::string program() {
    const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "postrider";
    if (!std::filesystem::exists(beside)) {
        throw std::runtime_error(beside.string() + " is needed: build the target postrider");
    }
    return beside.string();
}

}  // namespace

struct served_page::http {
    explicit http(int port) : client("127.0.0.1", port) {
        client.set_keep_alive(true);
        client.set_tcp_nodelay(true);
        client.set_read_timeout(60);
    }
    httplib::Client client;
};

served_page::served_page(const std::string& conninfo)
    : process_({program(), "serve", "--port", "0", "--json", "--database", "postgresql://"},
               pg::as_environment(conninfo)) {
    const auto start = nlohmann::json::parse(process_.read_line(std::chrono::seconds(30)));
    port_ = start["port"].get<int>();
    link_ = start["link"].get<std::string>();
    token_ = link_.substr(link_.rfind('=') + 1);
    http_ = std::make_unique<http>(port_);
    constexpr int tries = 300;
    for (int i = 0; i < tries; ++i) {
        const auto reply = http_->client.Get("/readyz");
        if (reply && reply->status == 200) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    throw std::runtime_error("postrider serve was not ready within 30 seconds");
}

served_page::~served_page() { wake_up(); }

double served_page::look_now(const std::string& path, const std::string& body) {
    const httplib::Headers headers{
        {"Authorization", "Bearer " + token_}, {"x-postrider", "1"}, {"Accept-Encoding", "gzip"}};
    const stopwatch watch;
    const auto reply = body.empty() ? http_->client.Get(path, headers)
                                    : http_->client.Post(path, headers, body, "application/json");
    const auto took = watch.elapsed() * 1000;
    if (!reply || reply->status != 200) {
        throw std::runtime_error(fmt::format("{} answered {}", path,
                                             reply
                                                 ? std::to_string(reply->status) + " " + reply->body
                                                 : httplib::to_string(reply.error())));
    }
    answer_ = reply->body;
    return took;
}

double served_page::look(const std::string& path, const std::string& body) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / looks_per_s));
    return look_now(path, body);
}

int served_page::open_stream() const {
    const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto request = fmt::format(
        "GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        port_, token_);
    if (made < 0 || ::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::write(made, request.data(), request.size()) != static_cast<ssize_t>(request.size())) {
        throw std::system_error(errno, std::generic_category(), "a live viewer");
    }
    return made;
}

void served_page::put_to_sleep() const { ::kill(process_.pid(), SIGSTOP); }
void served_page::wake_up() const { ::kill(process_.pid(), SIGCONT); }

}  // namespace postrider::bench
