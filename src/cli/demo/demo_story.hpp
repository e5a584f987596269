#pragma once

#include <atomic>
#include <chrono>

#include "pg/connection.hpp"

namespace postrider::cli::demo {

/// Simulated failures; written by the story, read by the consumers.
struct incidents {
    std::atomic<bool> mail_is_down = false;
    std::atomic<bool> shelf_is_broken = true;
};

/// Periodic failures: the mail server goes down and comes back, a shelf is missing and is restored,
/// and an operator replays the dead letters of the meantime.
class story {
  public:
    using clock = std::chrono::steady_clock;

    explicit story(incidents& going_on) : going_on_(going_on) {}

    /// Called once a second.
    void go_on(pg::connection& session);

  private:
    bool is_time(std::chrono::seconds first, int done) const;
    // Both return false when there is no dead letter yet.
    bool repair_the_shelf(pg::connection& session);
    bool ask_for_a_replay(pg::connection& session);

    incidents& going_on_;
    clock::time_point began_ = clock::now();
    clock::time_point shelf_breaks_at_ = clock::time_point::max();
    int repairs_ = 0;
    bool proposed_ = false;
};

}  // namespace postrider::cli::demo
