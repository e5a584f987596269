#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "serve/options.hpp"
#include "serve/pool.hpp"

namespace postrider::serve {

/// Reads the figures periodically, once for all viewers.
class sampler {
  public:
    struct sample {
        std::uint64_t number = 0;
        std::string figures;  ///< a JSON object
    };

    sampler(pool& database, const serve_options& options);
    sampler(const sampler&) = delete;
    sampler& operator=(const sampler&) = delete;
    ~sampler();

    /// The newest sample. Waits for the first one and throws if it does not come; rethrows the
    /// error of the last failed sample.
    std::shared_ptr<const sample> newest() const;
    /// The next sample after `number`; empty after `timeout`, while samples fail, or when the
    /// server stops.
    std::shared_ptr<const sample> next(std::uint64_t number,
                                       std::chrono::milliseconds timeout) const;
    /// An array of points, the oldest first.
    nlohmann::ordered_json history() const;
    /// Counters of the sample before the newest one, for the rates of a reader in between.
    std::optional<std::string> counters() const;
    void stop();
    bool stopped() const;

  private:
    void run();
    void look();
    void remember(const std::string& point);

    pool& database_;
    const serve_options& options_;
    std::optional<std::string> counters_;  ///< of the sampling thread
    std::chrono::steady_clock::time_point point_due_{};

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::shared_ptr<const sample> newest_;
    std::optional<std::string> counters_before_;
    std::exception_ptr problem_;  ///< error of the last sample
    std::deque<nlohmann::ordered_json> history_;
    double published_ = 0;
    double delivered_ = 0;
    double failed_ = 0;
    int summed_ = 0;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace postrider::serve
