#include "bench/engine/publishers.hpp"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "pg/pipeline.hpp"

namespace postrider::bench {
namespace {

constexpr int client_threads = 2;

// One connection that always has a transaction under way.
class publisher {
  public:
    publisher(const fresh_database& database, const std::string& statement)
        : session_(database.connect()) {
        session_.prepare("publish", statement.c_str());
        pipe_ = std::make_unique<pg::pipeline>(session_);
    }
    void send(std::int64_t number) {
        pipe_->send_prepared("publish", pg::params(payload(number)));
        pipe_->sync();
    }
    void receive() {
        pipe_->receive();
        pipe_->receive_sync();
    }
    int socket() const { return session_.socket(); }

  private:
    pg::connection session_;
    std::unique_ptr<pg::pipeline> pipe_;
};

using publishers = std::vector<std::unique_ptr<publisher>>;

void drive(publishers& group, const std::atomic<bool>& stop, std::atomic<std::int64_t>& committed) {
    std::vector<pollfd> sources;
    std::int64_t number = 0;
    for (auto& one : group) {
        sources.push_back({one->socket(), POLLIN, 0});
        one->send(++number);
    }
    while (!stop) {
        ::poll(sources.data(), sources.size(), 100);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (sources[i].revents != 0) {
                group[i]->receive();
                committed.fetch_add(1, std::memory_order_relaxed);
                group[i]->send(++number);
            }
        }
    }
    for (auto& one : group) {
        one->receive();
    }
}

}  // namespace

double publishing_rate(const fresh_database& database, const std::string& statement,
                       int connections, seconds duration) {
    std::vector<publishers> groups(static_cast<std::size_t>(std::min(connections, client_threads)));
    for (int i = 0; i < connections; ++i) {
        groups[static_cast<std::size_t>(i) % groups.size()].push_back(
            std::make_unique<publisher>(database, statement));
    }
    std::atomic<bool> stop = false;
    std::atomic<std::int64_t> committed = 0;
    std::vector<std::future<void>> running;
    running.reserve(groups.size());
    for (auto& group : groups) {
        running.push_back(std::async(std::launch::async, [&] { drive(group, stop, committed); }));
    }
    std::this_thread::sleep_for(duration / 5);  // until all connections publish
    const auto before = committed.load();
    const stopwatch watch;
    std::this_thread::sleep_for(duration);
    const auto rate = static_cast<double>(committed.load() - before) / watch.elapsed();
    stop = true;
    for (auto& one : running) {
        one.get();
    }
    return rate;
}

}  // namespace postrider::bench
