#pragma once

#include <cstdint>
#include <memory>
#include <postrider/worker.hpp>
#include <string>
#include <vector>

#include "cli/demo/demo_shop.hpp"
#include "cli/demo/demo_story.hpp"

namespace postrider::cli::demo {

/// The consumers of the shop's messages: billing, mail, a warehouse and analytics, which now and
/// then cannot do what they are asked to.
class staff {
  public:
    staff(const std::string& database, tally& counts, const incidents& going_on);
    void start();
    /// Lets what runs finish and gives the rest back.
    void stop();

  private:
    std::vector<std::unique_ptr<worker>> workers_;
};

}  // namespace postrider::cli::demo
