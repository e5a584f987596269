#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <postrider/alert.hpp>
#include <postrider/sink.hpp>
#include <span>
#include <string>
#include <vector>

#include "store/work/alerts.hpp"
#include "worker/alerts/alert_sender.hpp"

namespace postrider::working {

/// Distributes alerts to the sink, at once, and to targets, each with a thread. alert_service
/// claims and settles them; nothing here waits for a target.
class alert_desk {
  public:
    using clock = alert_sender::clock;
    /// The target that stands for all sinks together.
    static constexpr const char* sink_name = "sink";
    static constexpr int batch_max = 10;

    /// Throws usage_error when a target is null, or its name is unusable or taken.
    alert_desk(std::shared_ptr<sink> reports,
               const std::vector<std::shared_ptr<alert_target>>& targets,
               const std::function<void()>& done);

    bool empty() const { return places_.empty(); }
    const std::vector<store::alert_place>& places() const { return places_; }
    /// The given places that can take alerts now.
    std::vector<store::alert_place> ready(std::span<const store::alert_place> of,
                                          clock::time_point now) const;
    /// `sendable`: the places that this process may send to. The others become conflicts.
    void compare(std::span<const store::alert_place> sendable);
    /// Long enough for a batch that runs into every timeout.
    std::chrono::milliseconds lease() const;

    void push(std::vector<store::claimed_alert> claimed);
    /// All results since settled().
    const std::vector<store::alert_result>& results();
    void settled() { results_.clear(); }
    /// An alert is being sent, or has a result that is not settled.
    bool busy() const;

    struct news {
        std::string target;
        std::optional<std::string> problem;  ///< empty: it accepts alerts again
    };
    /// Targets that started to fail or recovered, by the results so far.
    std::vector<news> take_news();
    /// Targets whose conflict with another process started or ended.
    std::vector<news> take_conflicts();

    void stop() noexcept;

  private:
    std::shared_ptr<sink> reports_;
    std::vector<store::alert_place> places_;
    std::vector<std::shared_ptr<alert_sender>> senders_;
    std::vector<store::alert_result> results_;
    std::vector<std::string> failing_;
    std::vector<news> news_;
    std::vector<std::string> conflicting_;
    std::vector<news> conflicts_;
};

}  // namespace postrider::working
