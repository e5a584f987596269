#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "worker/doorbell/doorbell_duty.hpp"

namespace postrider::working {

/// A thread that tries to become the keeper of a channel and, if it succeeds, serves as keeper. It
/// is independent of its worker's loop, so a busy or paused worker delays no other worker.
class doorbell_keeper {
  public:
    /// `changed` is called on the keeper's thread when announces() changed or the thread ends.
    doorbell_keeper(doorbell_duty::place where, pg::watchdog& watchdog,
                    std::function<void()> changed);
    doorbell_keeper(const doorbell_keeper&) = delete;
    doorbell_keeper& operator=(const doorbell_keeper&) = delete;
    ~doorbell_keeper() { stop(); }

    /// Does nothing while the thread runs.
    void start();
    void stop() noexcept;
    bool running() const { return running_; }
    bool serving() const { return serving_; }
    /// False while the channel's wake is 'never'.
    bool announces() const { return control_.announces; }
    /// The error that ended the thread since the last call, or empty.
    std::string take_problem();

  private:
    void run();

    doorbell_duty::place where_;
    pg::watchdog& watchdog_;
    doorbell_duty::control control_;
    std::atomic<bool> running_ = false;
    std::atomic<bool> serving_ = false;
    std::mutex mutex_;
    std::string problem_;
    std::thread thread_;
};

}  // namespace postrider::working
