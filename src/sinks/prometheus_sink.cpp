#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <functional>
#include <mutex>
#include <postrider/error.hpp>
#include <postrider/sinks.hpp>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sinks/metrics_listener.hpp"

namespace postrider {
namespace {

constexpr const char* default_address = "127.0.0.1:9464";

const prometheus::Histogram::BucketBoundaries handle_buckets{
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};
const prometheus::Histogram::BucketBoundaries operation_buckets{
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20};

double seconds(std::chrono::nanoseconds duration) {
    return std::chrono::duration<double>(duration).count();
}

// Metrics by the few texts that choose them. prometheus-cpp finds a metric by building and hashing
// a map of labels; here a look-up that has been made before allocates nothing.
template <typename Metrics, std::size_t Size>
class metric_cache {
  public:
    using texts = std::array<std::string_view, Size>;

    template <typename Make>
    const Metrics& get(const texts& key, Make&& make) {
        {
            const std::shared_lock lock(mutex_);
            if (const auto found = known_.find(key); found != known_.end()) {
                return found->second;
            }
        }
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(key); found != known_.end()) {
            return found->second;
        }
        std::array<std::string, Size> kept;
        std::copy(key.begin(), key.end(), kept.begin());
        return known_.emplace(kept, make()).first->second;
    }

  private:
    struct hash {
        using is_transparent = void;
        template <typename Key>
        std::size_t operator()(const Key& key) const {
            std::size_t mixed = 0;
            for (const std::string_view text : key) {
                mixed = (mixed * 31) + std::hash<std::string_view>{}(text);
            }
            return mixed;
        }
    };
    struct equal {
        using is_transparent = void;
        template <typename Left, typename Right>
        bool operator()(const Left& left, const Right& right) const {
            return std::equal(left.begin(), left.end(), right.begin());
        }
    };

    std::shared_mutex mutex_;
    std::unordered_map<std::array<std::string, Size>, Metrics, hash, equal> known_;
};

struct run_metrics {
    prometheus::Counter* runs;
    prometheus::Histogram* duration;
};

struct worker_metrics {
    prometheus::Gauge* in_flight;
    prometheus::Gauge* running;
    prometheus::Gauge* listening;
    prometheus::Gauge* keeper;
};

// The families, in the order of docs/reference/metrics.md. They live in the registry.
struct families {
    explicit families(prometheus::Registry& in);
    prometheus::Family<prometheus::Counter>& published;
    prometheus::Family<prometheus::Counter>& handled;
    prometheus::Family<prometheus::Histogram>& handle_duration;
    prometheus::Family<prometheus::Gauge>& in_flight;
    prometheus::Family<prometheus::Gauge>& running;
    prometheus::Family<prometheus::Gauge>& listening;
    prometheus::Family<prometheus::Gauge>& keeper;
    prometheus::Family<prometheus::Histogram>& operation_duration;
    prometheus::Family<prometheus::Counter>& alerts;
    prometheus::Family<prometheus::Gauge>& notification_queue;
};

template <typename Builder>
auto& family(Builder&& builder, prometheus::Registry& in, const char* name, const char* help) {
    return builder.Name(name).Help(help).Register(in);
}

families::families(prometheus::Registry& in)
    : published(family(prometheus::BuildCounter(), in, "postrider_published_total",
                       "Messages handed to the database by publishers of this process")),
      handled(family(prometheus::BuildCounter(), in, "postrider_handled_total",
                     "Runs of handlers that ended, by outcome")),
      handle_duration(family(prometheus::BuildHistogram(), in, "postrider_handle_duration_seconds",
                             "How long runs of handlers took")),
      in_flight(family(prometheus::BuildGauge(), in, "postrider_in_flight",
                       "Messages the worker holds, running or waiting for a thread")),
      running(family(prometheus::BuildGauge(), in, "postrider_running",
                     "Handlers that are running now")),
      listening(family(prometheus::BuildGauge(), in, "postrider_listening",
                       "1 while notifications arrive, 0 while the worker has to poll")),
      keeper(family(prometheus::BuildGauge(), in, "postrider_keeper",
                    "1 while this worker keeps the doorbell of its channel")),
      operation_duration(family(prometheus::BuildHistogram(), in,
                                "postrider_operation_duration_seconds",
                                "How long the worker waited for the database, by operation")),
      alerts(family(prometheus::BuildCounter(), in, "postrider_alerts_total",
                    "Dead letters and opened circuits; exactly one process reports each")),
      notification_queue(family(prometheus::BuildGauge(), in, "postrider_notify_queue_usage",
                                "How full the server's queue of notifications is, from 0 to 1")) {}

class prometheus_metrics final : public metrics_sink {
  public:
    prometheus_metrics(std::shared_ptr<prometheus::Registry> registry, const std::string& listen)
        : registry_(std::move(registry)),
          families_(*registry_),
          published_(families_.published.Add({})),
          notification_queue_(families_.notification_queue.Add({})) {
        if (!listen.empty()) {
            open(listen);
        }
    }

    std::string exposition() const override {
        std::ostringstream text;
        prometheus::TextSerializer().Serialize(text, registry_->Collect());
        return text.str();
    }

    int port() const override { return listener_ ? listener_->port() : 0; }

    void published(const publish_record&) override { published_.Increment(); }

    void handled(const handle_record& record) override {
        unharmed([&] {
            const auto& metrics = runs_.get({record.consumer, record.handler, record.outcome},
                                            [&] { return make_run(record); });
            metrics.runs->Increment();
            metrics.duration->Observe(seconds(record.duration));
        });
    }

    void figures(const worker_figures& record) override {
        unharmed([&] {
            const auto& metrics =
                workers_.get({record.consumer}, [&] { return make_worker(record.consumer); });
            metrics.in_flight->Set(record.in_flight);
            metrics.running->Set(record.running);
            metrics.listening->Set(record.listening ? 1 : 0);
            metrics.keeper->Set(record.keeper ? 1 : 0);
            if (record.notification_queue) {
                notification_queue_.Set(*record.notification_queue);
            }
            if (!record.operation.empty()) {
                operations_
                    .get({record.consumer, record.operation},
                         [&] { return make_operation(record); })
                    ->Observe(seconds(record.operation_time));
            }
        });
    }

    void alerted(const alert& record) override {
        unharmed([&] {
            alerts_
                .get({record.consumer, record.handler_name, record.kind},
                     [&] { return make_alert(record); })
                ->Increment();
        });
    }

  private:
    // Only the first record of its kind can fail, when memory runs out.
    template <typename Count>
    static void unharmed(Count&& count) noexcept {
        try {
            count();
        } catch (const std::exception&) {
            // The caller's work is more important than its figures.
        }
    }

    void open(const std::string& listen) {
        try {
            listener_ = std::make_unique<metrics_listener>(listen, [this] { return exposition(); });
        } catch (const std::exception& problem) {
            throw error(errc::config_invalid, "metrics cannot be served at " + listen + ": " +
                                                  problem.what() +
                                                  "; choose another port, or none");
        }
    }

    run_metrics make_run(const handle_record& record) {
        prometheus::Labels labels{{"consumer", std::string(record.consumer)},
                                  {"handler", std::string(record.handler)}};
        auto& duration = families_.handle_duration.Add(labels, handle_buckets);
        labels.emplace("outcome", record.outcome);
        return {&families_.handled.Add(labels), &duration};
    }

    worker_metrics make_worker(std::string_view consumer) {
        const prometheus::Labels labels{{"consumer", std::string(consumer)}};
        return {&families_.in_flight.Add(labels), &families_.running.Add(labels),
                &families_.listening.Add(labels), &families_.keeper.Add(labels)};
    }

    prometheus::Histogram* make_operation(const worker_figures& record) {
        return &families_.operation_duration.Add({{"consumer", std::string(record.consumer)},
                                                  {"operation", std::string(record.operation)}},
                                                 operation_buckets);
    }

    prometheus::Counter* make_alert(const alert& record) {
        return &families_.alerts.Add({{"consumer", record.consumer},
                                      {"handler", record.handler_name},
                                      {"kind", record.kind}});
    }

    const std::shared_ptr<prometheus::Registry> registry_;
    families families_;
    prometheus::Counter& published_;
    prometheus::Gauge& notification_queue_;
    metric_cache<run_metrics, 3> runs_;
    metric_cache<worker_metrics, 1> workers_;
    metric_cache<prometheus::Histogram*, 2> operations_;
    metric_cache<prometheus::Counter*, 3> alerts_;
    // Last: it serves the registry until it is gone.
    std::unique_ptr<metrics_listener> listener_;
};

}  // namespace

metrics_sink::~metrics_sink() = default;

std::shared_ptr<metrics_sink> prometheus_sink(prometheus_options options) {
    const auto listen = options.listen.value_or(options.registry ? "" : default_address);
    if (!options.registry) {
        options.registry = std::make_shared<prometheus::Registry>();
    }
    return std::make_shared<prometheus_metrics>(std::move(options.registry), listen);
}

}  // namespace postrider
