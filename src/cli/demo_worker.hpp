#pragma once

#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "cli/demo_shop.hpp"
#include "cli/stop_signal.hpp"
#include "pg/connection.hpp"
#include "store/claim.hpp"

namespace postrider::cli::demo {

/// Takes one type of event, and now and then cannot.
struct handler {
    std::string name;
    std::string event_type;
    unsigned failures_per_thousand;  ///< worth another attempt
    unsigned refusals_per_thousand;  ///< never going to work
    std::string error;
};

/// One worker of one consumer: claims, handles, settles, and sleeps on the doorbell in between.
class worker {
  public:
    worker(const std::string& database, const std::string& consumer, std::vector<handler> handlers,
           tally& counts, const stop_signal& stop);
    /// Until the signal comes; gives back what was not started.
    void run();

  private:
    bool stopping() const { return stop_.wait_for(std::chrono::milliseconds(0)); }
    bool work_log();
    bool work_due();
    void sleep();
    void keep_house();
    store::outcome handle(std::string_view event_type);
    const handler& handler_for(std::string_view event_type) const;

    pg::connection session_;
    uuid id_ = uuid::random();
    std::vector<handler> handlers_;
    tally& counts_;
    const stop_signal& stop_;
    std::minstd_rand dice_{std::random_device{}()};
    std::chrono::steady_clock::time_point next_housekeeping_{};
    bool bell_held_ = false;
};

}  // namespace postrider::cli::demo
