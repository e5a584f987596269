#pragma once

#include <cstdint>
#include <memory>
#include <postrider/worker.hpp>
#include <string>
#include <vector>

#include "cli/demo/demo_broker.hpp"
#include "cli/demo/demo_shop.hpp"
#include "cli/demo/demo_story.hpp"

namespace postrider::cli::demo {

/// The consumers of the shop's messages: billing, mail, a warehouse and analytics, with simulated
/// failures.
class staff {
  public:
    /// `behind`: the broker to receive from; null: the log.
    staff(const std::string& database, tally& counts, const incidents& going_on,
          const broker_side* behind);
    void start();
    /// Lets running handlers finish and releases the other messages.
    void stop();

  private:
    std::vector<std::unique_ptr<worker>> workers_;
};

}  // namespace postrider::cli::demo
