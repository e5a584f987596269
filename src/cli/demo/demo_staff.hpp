#pragma once

#include <cstdint>
#include <memory>
#include <postrider/worker.hpp>
#include <string>
#include <vector>

#include "cli/demo/demo_shop.hpp"
#include "cli/demo/demo_story.hpp"

namespace postrider::cli::demo {

/// The consumers of the shop's messages: billing, mail, a warehouse and analytics, with simulated
/// failures.
class staff {
  public:
    staff(const std::string& database, tally& counts, const incidents& going_on);
    void start();
    /// Lets running handlers finish and gives the other messages back.
    void stop();

  private:
    std::vector<std::unique_ptr<worker>> workers_;
};

}  // namespace postrider::cli::demo
