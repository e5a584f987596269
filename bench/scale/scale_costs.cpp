// The cost of a message, published and consumed, as one dimension of the database grows.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>

#include "bench/lab/report.hpp"
#include "bench/lab/workload.hpp"
#include "bench/scale/scale.hpp"
#include "store/messages/copy_messages.hpp"
#include "store/work/workers.hpp"

namespace postrider::bench {
namespace {

constexpr int claim_batch = 100;
constexpr int copy_batch = 1000;

// A worker of a given consumer.
class scale_worker {
  public:
    scale_worker(const fresh_database& database, const std::string& consumer, int handlers = 1)
        : session_(database.connect_consumer()) {
        store::worker_registration me{.worker = id_, .consumer = consumer, .handlers = {}};
        for (int i = 0; i < handlers; ++i) {
            me.handlers.push_back(
                {.name = fmt::format("{}.handler_{}", consumer, i),
                 .event_types = {handlers == 1 ? "*" : fmt::format("scale.type_{}", i)}});
        }
        me.alive_for = std::chrono::hours(1);
        store::register_worker(session_, me);
        store::prepare_exchange(session_);
    }
    // Consumes this number of messages; returns the seconds it took.
    double consume(std::int64_t count, int batch = claim_batch) {
        const stopwatch watch;
        std::int64_t taken = 0;
        while (taken < count) {
            const auto limit = static_cast<int>(std::min<std::int64_t>(batch, count - taken));
            held_ =
                store::exchange(session_, {.worker = id_, .limit = limit, .lease = held_.lease()});
            if (held_.empty()) {
                throw std::runtime_error(fmt::format("{} of {} messages came", taken, count));
            }
            taken += held_.size();
        }
        return watch.elapsed();
    }

  private:
    pg::connection session_;
    uuid id_ = uuid::random();
    store::claimed_batch held_;
};

// The messages of one measurement, made beforehand.
class cargo {
  public:
    cargo(std::int64_t count, std::int64_t bytes, int types) {
        std::minstd_rand random(7);
        for (std::int64_t i = 0; i < count; ++i) {
            payloads_.push_back(bytes == 0 ? payload(i) : noise(random, bytes));
            types_.push_back(types == 1 ? "order.placed" : fmt::format("scale.type_{}", i % types));
        }
    }
    // Seconds to publish all messages, in several batches.
    double publish(pg::connection& session, int batch) const {
        const stopwatch watch;
        for (std::size_t first = 0; first < payloads_.size();) {
            std::vector<store::new_message> messages;
            for (int i = 0; i < batch && first < payloads_.size(); ++i, ++first) {
                messages.push_back(
                    {.event_type = types_[first], .payload = payloads_[first], .source = "bench"});
            }
            store::copy_messages(session, messages);
        }
        return watch.elapsed();
    }

  private:
    // Text that hardly compresses.
    static std::string noise(std::minstd_rand& random, std::int64_t bytes) {
        constexpr std::string_view letters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
        std::string text = "{\"data\": \"";
        while (static_cast<std::int64_t>(text.size()) < bytes - 2) {
            text += letters[random() % letters.size()];
        }
        return text + "\"}";
    }

    std::vector<std::string> payloads_;
    std::vector<std::string> types_;
};

// Microseconds per message of publishing and consuming, median of the rounds.
double cost_per_message(const lab& where, const fresh_database& database,
                        std::vector<std::unique_ptr<scale_worker>>& workers, std::int64_t count,
                        std::int64_t bytes = 0, int types = 1) {
    const auto room = bytes == 0 ? copy_batch : std::max<std::int64_t>(1, (4 << 20) / bytes);
    const auto batch = static_cast<int>(std::min<std::int64_t>(copy_batch, room));
    const cargo messages(count, bytes, types);
    auto publisher = database.connect_consumer();
    std::vector<double> costs;
    // The first round warms plans and caches.
    for (int round = 0; round <= where.rounds(); ++round) {
        const auto publishing = messages.publish(publisher, batch);
        double consuming = 0;
        for (auto& worker : workers) {
            consuming += worker->consume(count, std::min(batch, claim_batch));
        }
        if (round > 0) {
            costs.push_back((publishing + consuming / static_cast<double>(workers.size())) /
                            static_cast<double>(count) * 1e6);
        }
    }
    return median(costs);
}

std::vector<std::unique_ptr<scale_worker>> one_worker(const fresh_database& database,
                                                      int handlers = 1) {
    std::vector<std::unique_ptr<scale_worker>> workers;
    workers.push_back(std::make_unique<scale_worker>(database, "bench", handlers));
    return workers;
}

std::int64_t some(const lab& where, std::int64_t usual = 20'000) {
    return where.tiny() ? 100 : usual;
}

}  // namespace

double cost_behind_backlog(const lab& where, std::int64_t rows) {
    const fresh_database database(where);
    auto workers = one_worker(database);
    fill(database, {"postrider.message"}, rows);
    database.settle_down();
    return cost_per_message(where, database, workers, some(where));
}

double cost_behind_history(const lab& where, std::int64_t rows) {
    const fresh_database database(where);
    auto workers = one_worker(database);
    fill(database, {"postrider.message"}, rows);
    workers.front()->consume(rows, 1000);
    database.settle_down();
    return cost_per_message(where, database, workers, some(where));
}

double cost_with_consumers(const lab& where, std::int64_t consumers) {
    const fresh_database database(where);
    std::vector<std::unique_ptr<scale_worker>> workers;
    for (std::int64_t i = 0; i < consumers; ++i) {
        workers.push_back(std::make_unique<scale_worker>(database, fmt::format("consumer_{}", i)));
    }
    return cost_per_message(where, database, workers, some(where, 4000));
}

double cost_with_handlers(const lab& where, std::int64_t handlers) {
    const fresh_database database(where);
    auto workers = one_worker(database, static_cast<int>(handlers));
    return cost_per_message(where, database, workers, some(where), 0, static_cast<int>(handlers));
}

double cost_of_payload(const lab& where, std::int64_t bytes) {
    const fresh_database database(where);
    auto workers = one_worker(database);
    const auto count = std::clamp<std::int64_t>((32 << 20) / bytes, 50, some(where));
    const auto kibibytes = static_cast<double>(bytes) / 1024;
    return cost_per_message(where, database, workers, count, bytes) / kibibytes;
}

double cost_with_partitions(const lab& where, std::int64_t partitions) {
    const fresh_database database(where);
    auto session = database.connect();
    const auto ahead = session.exec(
        "select name from postrider.partitions() where from_at > now() and to_at < 'infinity'");
    for (int row = 0; row < ahead.rows(); ++row) {
        session.exec(fmt::format("drop table postrider.{}", ahead.text(row, 0)));
    }
    // Two are left, the current one and the tail; the tail is put behind the new ones.
    session.exec("alter table postrider.message detach partition postrider.message_tail");
    auto from = std::string(
        session.exec("select max(to_at) from postrider.partitions() where to_at < 'infinity'")
            .text(0, 0));
    for (std::int64_t i = 2; i < partitions; ++i) {
        const auto to = std::string(
            session.exec(fmt::format("select '{}'::timestamptz + interval '1 day'", from))
                .text(0, 0));
        session.exec(
            fmt::format("create table postrider.message_scale_{} partition of"
                        " postrider.message for values from ('{}') to ('{}')",
                        i, from, to));
        from = to;
    }
    session.exec(
        fmt::format("alter table postrider.message attach partition"
                    " postrider.message_tail for values from ('{}') to (maxvalue)",
                    from));
    auto workers = one_worker(database);
    return cost_per_message(where, database, workers, some(where));
}

}  // namespace postrider::bench
