#pragma once

#include <atomic>
#include <chrono>

#include "pg/connection.hpp"

namespace postrider::cli::demo {

/// What goes wrong in the shop; written by the story, read by the staff.
struct incidents {
    std::atomic<bool> mail_is_down = false;
    std::atomic<bool> shelf_is_broken = true;
};

/// An hour in the life of the shop, in minutes: the mail server goes down and comes back, a shelf
/// breaks and is put up again, and somebody sees to what died meanwhile.
class story {
  public:
    using clock = std::chrono::steady_clock;

    explicit story(incidents& going_on) : going_on_(going_on) {}

    /// Once a second.
    void go_on(pg::connection& session);

  private:
    bool is_time(std::chrono::seconds first, int done) const;
    // Both: false when there is nothing to be done yet.
    bool repair_the_shelf(pg::connection& session);
    bool ask_for_a_replay(pg::connection& session);

    incidents& going_on_;
    clock::time_point began_ = clock::now();
    clock::time_point shelf_breaks_at_ = clock::time_point::max();
    int repairs_ = 0;
    bool proposed_ = false;
};

}  // namespace postrider::cli::demo
