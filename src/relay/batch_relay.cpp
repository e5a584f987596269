#include "relay/batch_relay.hpp"

#include <utility>

namespace postrider::relaying {

std::variant<outgoing, outcome> batch_relay::prepared(const event& event) const {
    if (event.payload().size() > bytes_max_) {
        return too_large(event.payload().size(), bytes_max_);
    }
    std::string problem;
    auto place = target_->place().of(event, problem);
    if (!place) {
        return unroutable(std::move(problem));
    }
    if (auto refused = target_->problem_of(*place)) {
        return unroutable(std::move(*refused));
    }
    return outgoing{&event, std::move(*place), dedupe_id(event),
                    cloud_event_headers(event, target_->headers())};
}

std::unique_ptr<publisher> batch_relay::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto one = std::move(idle_.back());
            idle_.pop_back();
            return one;
        }
    }
    return target_->open();
}

void batch_relay::put_back(std::unique_ptr<publisher> idle) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(idle));
}

std::vector<outcome> batch_relay::operator()(std::span<const event> all, context& run) {
    std::vector<outcome> outcomes(all.size());
    std::vector<outgoing> sent;
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto made = prepared(all[i]);
        if (auto* refused = std::get_if<outcome>(&made)) {
            outcomes[i] = std::move(*refused);
        } else {
            sent.push_back(std::move(std::get<outgoing>(made)));
            indexes.push_back(i);
        }
    }
    if (sent.empty()) {
        return outcomes;
    }
    auto by = take();
    auto ended = by->publish(sent, run.stop_token());
    put_back(std::move(by));
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        outcomes[indexes[i]] = std::move(ended[i]);
    }
    return outcomes;
}

}  // namespace postrider::relaying
