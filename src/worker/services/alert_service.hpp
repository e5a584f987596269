#pragma once

#include <vector>

#include "store/work/alerts.hpp"
#include "worker/alerts/alert_desk.hpp"
#include "worker/coordinator/pause.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Claims alerts, passes them to the desk, which sends them on threads of its own, and settles the
/// results. A failure here stops neither claims nor reports of messages.
class alert_service {
  public:
    explicit alert_service(const worker_context& context);

    /// There is a new session: it must register the targets.
    void connected() {
        targets_known_ = false;
        next_ = {};
    }
    /// max when the worker sends no alerts.
    clock::time_point next_at() const { return desk_.empty() ? clock::time_point::max() : next_; }
    void run(worker_context& context, clock::time_point now);
    /// Reports the results of alerts that were sent.
    void settle(worker_context& context);
    /// Alerts may be waiting, are being sent, or are not settled.
    bool busy(const worker_context& context) const;
    void stop() noexcept { desk_.stop(); }

    /// A delivery may have become a dead letter: claims soon.
    void expect();
    /// Schedules the next claim by the size of the last one.
    void claimed(int count, clock::time_point now);
    /// Schedules the next claim after an error. True when the error has not been reported yet.
    bool failed(const std::string& problem, clock::time_point now);

  private:
    void claim(worker_context& context, clock::time_point now);
    std::vector<store::alert_place> sendable(worker_context& context);

    alert_desk desk_;
    pause trouble_;
    bool targets_known_ = false;       ///< this session has registered them
    bool targets_introduced_ = false;  ///< this process has registered them
    bool expected_ = false;            ///< a dead letter may have come since the last claim
    clock::time_point next_ = {};
    clock::time_point last_ = {};
};

}  // namespace postrider::working
