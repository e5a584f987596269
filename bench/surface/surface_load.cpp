// The cost of viewers for the database, and the effect of an open page on publishing and draining:
// the server is put to sleep and woken in turn, so that both sides see the same data and the same
// machine.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "bench/engine/publishers.hpp"
#include "bench/lab/proc.hpp"
#include "bench/lab/workload.hpp"
#include "bench/surface/served_page.hpp"
#include "bench/surface/surface.hpp"

namespace postrider::bench {
namespace {

// Several streams of live figures, read as they arrive, and the number of their events.
class viewers {
  public:
    viewers(const served_page& page, int count) {
        for (int i = 0; i < count; ++i) {
            sources_.push_back({page.open_stream(), POLLIN, 0});
            std::this_thread::sleep_for(std::chrono::milliseconds(1000 / looks_per_s));
        }
        reader_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
    }
    viewers(const viewers&) = delete;
    viewers& operator=(const viewers&) = delete;
    ~viewers() {
        reader_.request_stop();
        reader_.join();
        for (const auto& one : sources_) {
            ::close(one.fd);
        }
    }
    std::int64_t events() const { return events_; }

  private:
    void read(const std::stop_token& stop) {
        std::string bytes(1 << 16, '\0');
        while (!stop.stop_requested()) {
            ::poll(sources_.data(), sources_.size(), 100);
            for (auto& one : sources_) {
                if (one.revents == 0) {
                    continue;
                }
                const auto count = ::read(one.fd, bytes.data(), bytes.size());
                if (count <= 0) {
                    one.events = 0;
                    continue;
                }
                const std::string_view got(bytes.data(), static_cast<std::size_t>(count));
                events_ += got.find("event: figures") != std::string_view::npos ? 1 : 0;
            }
        }
    }

    std::vector<pollfd> sources_;
    std::atomic<std::int64_t> events_ = 0;
    std::jthread reader_;
};

// One viewer with the page open: live figures, and the periodic requests of a view.
class visitor {
  public:
    explicit visitor(served_page& page)
        : page_(page), live_(page, 1), thread_([this](const std::stop_token& stop) {
              for (int step = 0; !stop.stop_requested(); ++step) {
                  if (step % every == 0 && !look()) {
                      return;
                  }
                  std::this_thread::sleep_for(pause);
              }
          }) {}

  private:
    static constexpr std::chrono::milliseconds pause{50};
    static constexpr int every = 400;  // as often as the overview asks at most

    // Whether the server answered; the routes themselves were measured before.
    bool look() {
        try {
            page_.look_now("/api/v1/handlers?limit=100");
            page_.look_now("/api/v1/dead-letter-groups?limit=5");
            page_.look_now("/api/v1/replays?active=true&limit=20");
            page_.look_now("/api/v1/dead-letters?limit=50");
            return true;
        } catch (const std::exception& problem) {
            fmt::print(stderr, "postrider-bench: the page is closed: {}\n", problem.what());
            return false;
        }
    }

    served_page& page_;
    viewers live_;
    std::jthread thread_;
};

// Ratio of the rates with the page open to those without, measured in turn. The order alternates,
// so that slow changes of the environment affect both alike.
double ratio(served_page& page, int pairs, const std::function<double()>& rate) {
    const visitor viewer(page);
    std::vector<double> ratios;
    rate();  // caches
    for (int i = 0; i < pairs; ++i) {
        double sum[2] = {0, 0};
        for (const int open : {0, 1, 1, 0}) {
            if (open == 0) {
                page.put_to_sleep();
            }
            const auto now = rate();
            page.wake_up();
            if (now == 0) {
                return median(ratios);
            }
            sum[open] += now;
        }
        ratios.push_back(sum[1] / sum[0]);
    }
    return median(ratios);
}

}  // namespace

void measure_viewers(const lab& where, served_page& page, report& results) {
    const auto server = where.server_process();
    if (!server) {
        return;
    }
    const int count = where.tiny() ? 5 : 200;
    const auto duration = std::chrono::seconds(where.tiny() ? 3 : where.size(30, 4));
    const progress shown(fmt::format("{} live viewers", count), 1);
    const auto share = [&] {
        const auto before = cpu_seconds_with_children(*server);
        const stopwatch watch;
        std::this_thread::sleep_for(duration);
        return (cpu_seconds_with_children(*server) - before) / watch.elapsed();
    };
    page.put_to_sleep();
    const auto alone = share();
    page.wake_up();
    const viewers all(page, count);
    const auto before = all.events();
    const auto watched = share();
    results.add("viewers_200_db_core_share", watched - alone);
    results.add("viewers_events_per_s",
                static_cast<double>(all.events() - before) / static_cast<double>(duration.count()));
}

void measure_beside(const fresh_database& database, served_page& page, const lab& where,
                    std::int64_t rows, report& results) {
    const int pairs = where.tiny() ? 1 : where.size(9, 2);
    const auto slice = seconds(where.tiny() ? 0.3 : where.size(2.5, 0.7));
    const auto enough = rows / (4 * pairs + 2);  // so that the backlog lasts
    constexpr int batch = 100;
    constexpr int connections = 8;
    {
        const progress shown("draining beside the page", 1);
        bench_worker worker(database.connect_consumer());
        results.add("drain_with_page_over_without", ratio(page, pairs, [&] {
                        const stopwatch watch;
                        std::int64_t taken = 0;
                        while (watch.elapsed() < slice.count() && taken < enough) {
                            const auto got = worker.exchange(batch).size();
                            if (got == 0) {
                                return 0.0;  // there is nothing left to compare
                            }
                            taken += got;
                        }
                        return static_cast<double>(taken) / watch.elapsed();
                    }));
    }
    const progress shown("publishing beside the page", 1);
    results.add("publish_with_page_over_without", ratio(page, pairs, [&] {
                    return publishing_rate(database,
                                           "insert into postrider.message (event_type, source,"
                                           " payload) values ('order.placed', 'bench', $1)",
                                           connections, slice);
                }));
}

}  // namespace postrider::bench
