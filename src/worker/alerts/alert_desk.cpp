#include "worker/alerts/alert_desk.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <utility>

#include "base/encoding/utf8.hpp"

namespace postrider::working {
namespace {

constexpr auto stop_timeout = std::chrono::milliseconds(1000);
constexpr auto slack = std::chrono::seconds(30);
// Upper limit of the timeout that a target reports.
constexpr std::chrono::milliseconds longest_timeout = std::chrono::hours(1);
constexpr std::size_t name_bytes_max = 127;

// The database would reject it later, together with the alerts of all other targets.
void require_usable(const alert_target* target) {
    if (target == nullptr) {
        throw usage_error("a target of alerts is null; leave it out of alert_targets");
    }
    const auto name = target->name();
    if (name.empty() || name.size() > name_bytes_max || usable_utf8(name) != name.size()) {
        throw usage_error("the name of a target of alerts must be 1 to 127 bytes of UTF-8, got \"" +
                          repaired_utf8(name, name_bytes_max) + "\"");
    }
    const auto configuration = target->configuration();
    if (configuration.size() > name_bytes_max ||
        usable_utf8(configuration) != configuration.size()) {
        throw usage_error("the configuration of the target of alerts " + name +
                          " must be at most 127 bytes of UTF-8");
    }
}

}  // namespace

alert_desk::alert_desk(std::shared_ptr<sink> reports,
                       const std::vector<std::shared_ptr<alert_target>>& targets,
                       const std::function<void()>& done)
    : reports_(std::move(reports)) {
    if (reports_) {
        places_.push_back({sink_name, ""});
    }
    for (const auto& target : targets) {
        require_usable(target.get());
        senders_.push_back(std::make_shared<alert_sender>(target, done));
        const auto& name = senders_.back()->name();
        if (name == sink_name ||
            std::ranges::find(places_, name, &store::alert_place::target) != places_.end()) {
            throw usage_error("two targets of alerts are called " + name +
                              "; give one of them another name");
        }
        places_.push_back({name, target->configuration()});
    }
}

std::vector<store::alert_place> alert_desk::ready(std::span<const store::alert_place> of,
                                                  clock::time_point now) const {
    std::vector<store::alert_place> found;
    for (const auto& place : of) {
        const auto sender = std::ranges::find(senders_, place.target, &alert_sender::name);
        if (sender == senders_.end() || (*sender)->ready(now)) {
            found.push_back(place);
        }
    }
    return found;
}

void alert_desk::compare(std::span<const store::alert_place> sendable) {
    for (const auto& place : places_) {
        const bool mine = std::ranges::find(sendable, place.target, &store::alert_place::target) !=
                          sendable.end();
        const auto known = std::ranges::find(conflicting_, place.target);
        if (!mine && known == conflicting_.end()) {
            conflicting_.push_back(place.target);
            conflicts_.push_back(
                {place.target, "another process sends the alerts of the target " + place.target +
                                   " to a different address, and was configured later or owns "
                                   "the target; this process sends none of them. Give targets "
                                   "with different addresses different names"});
        } else if (mine && known != conflicting_.end()) {
            conflicting_.erase(known);
            conflicts_.push_back({place.target, std::nullopt});
        }
    }
}

std::chrono::milliseconds alert_desk::lease() const {
    std::chrono::milliseconds longest{0};
    for (const auto& sender : senders_) {
        longest = std::max(longest, sender->timeout());
    }
    return (std::min(longest, longest_timeout) * batch_max) + slack;
}

void alert_desk::push(std::vector<store::claimed_alert> claimed) {
    for (auto& one : claimed) {
        if (one.target == sink_name) {
            try {
                reports_->alerted(one.record);
            } catch (...) {
                // A failing sink does not get the alert again.
            }
            results_.push_back({one.target, one.record.id, one.token, std::nullopt});
            continue;
        }
        const auto sender = std::ranges::find(senders_, one.target, &alert_sender::name);
        if (sender != senders_.end()) {
            (*sender)->push(std::move(one));
        }
    }
}

const std::vector<store::alert_result>& alert_desk::results() {
    for (const auto& sender : senders_) {
        for (auto& result : sender->take_results()) {
            const auto known = std::ranges::find(failing_, result.target);
            if (result.problem && known == failing_.end()) {
                failing_.push_back(result.target);
                news_.push_back({result.target, result.problem});
            } else if (!result.problem && known != failing_.end()) {
                failing_.erase(known);
                news_.push_back({result.target, std::nullopt});
            }
            results_.push_back(std::move(result));
        }
    }
    return results_;
}

bool alert_desk::busy() const {
    return !results_.empty() || std::ranges::any_of(senders_, &alert_sender::busy);
}

std::vector<alert_desk::news> alert_desk::take_news() { return std::exchange(news_, {}); }

std::vector<alert_desk::news> alert_desk::take_conflicts() { return std::exchange(conflicts_, {}); }

void alert_desk::stop() noexcept {
    for (const auto& sender : senders_) {
        sender->request_stop();
    }
    for (const auto& sender : senders_) {
        try {
            sender->stop(stop_timeout);
        } catch (const std::exception&) {
            // Its alerts can be claimed again when their lease ends.
        }
    }
}

}  // namespace postrider::working
