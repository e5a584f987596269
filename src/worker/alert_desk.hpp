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

#include "store/alerts.hpp"
#include "worker/alert_sender.hpp"

namespace postrider::working {

/// Where alerts go: the sink, which is told at once, and targets, each with a thread. Used by the
/// coordinator, which claims and settles; nothing here waits for a target.
class alert_desk {
  public:
    using clock = alert_sender::clock;
    /// The target that stands for all sinks together.
    static constexpr const char* sink_name = "sink";
    static constexpr int batch_max = 10;

    /// Throws usage_error when a target is null, has no usable name, or that of another one.
    alert_desk(std::shared_ptr<sink> reports,
               const std::vector<std::shared_ptr<alert_target>>& targets,
               const std::function<void()>& done);

    bool empty() const { return places_.empty(); }
    const std::vector<store::alert_place>& places() const { return places_; }
    /// Those of the given places that can take alerts now.
    std::vector<store::alert_place> ready(std::span<const store::alert_place> of,
                                          clock::time_point now) const;
    /// `sendable`: the places that this process may send to. Notes the others as news.
    void compare(std::span<const store::alert_place> sendable);
    /// Long enough for a batch that runs into every timeout.
    std::chrono::milliseconds lease() const;

    void push(std::vector<store::claimed_alert> claimed);
    /// Everything that ended since settled().
    const std::vector<store::alert_result>& results();
    void settled() { results_.clear(); }
    /// Something is being sent, or has ended and is not settled.
    bool busy() const;

    struct news {
        std::string target;
        std::optional<std::string> problem;  ///< nothing: it takes alerts again
    };
    /// Targets that began to fail, or to work again, by the results so far.
    std::vector<news> take_news();
    /// Targets that began to conflict with another process's, or ceased to.
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
