#include "relay/redis/redis_backlog.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t answer_bytes = message_bytes_max;
constexpr std::size_t answer_elements = redis_answer_elements_max / 4;
constexpr int read_max = 1 << 20;
// Entries of lost consumers are looked for this often.
constexpr auto claim_interval = milliseconds(1000);
// A server can make a sweep endless: new entries must not wait for its end.
constexpr int claim_calls_max = 100;
constexpr auto claim_time_max = milliseconds(200);
// Entries beyond these limits are claimed again after redeliver_after.
constexpr std::size_t waiting_max = 10000;
constexpr std::size_t too_large_max = 10000;
constexpr std::size_t named_max = 5;

}  // namespace

void redis_read_size::learn(const redis_group::entries& last) {
    if (const auto count = last.all.size(); count > 0) {
        const auto fit = std::min(answer_bytes / (last.bytes / count + 1),
                                  answer_elements / (last.elements / count + 1));
        const auto most = static_cast<std::size_t>(std::min(2 * most_, read_max));
        most_ = static_cast<int>(std::clamp<std::size_t>(fit, 1, most));
    }
}

bool redis_read_size::is_full(const redis_group::entries& some) {
    return some.bytes >= answer_bytes || some.elements >= answer_elements;
}

// Only the ids, so that the claim succeeds whatever the entries contain: an answer that is given up
// would have no cursor.
void redis_backlog::claim(redis_group& from, int limit) {
    const auto began = clock::now();
    auto now = began;
    for (int call = 0; now >= next_claim_ && waiting_.empty() && call < claim_calls_max &&
                       now < began + claim_time_max;
         ++call, now = clock::now()) {
        next_claim_ = now + claim_interval;
        auto found = from.claim(claim_from_, limit);
        claim_from_ = std::move(found.next);
        if (claim_from_ != "0-0") {
            next_claim_ = now;
        }
        add(std::move(found.ids), 2);
    }
}

void redis_backlog::add_unread(std::vector<std::string> ids) {
    std::erase_if(ids, [&](const std::string& id) {
        return std::ranges::find(waiting_, id, &one::id) != waiting_.end();
    });
    add(std::move(ids), 1);
    singly_ = waiting_.size();
}

void redis_backlog::put_back(std::string id, int deliveries) {
    add({std::move(id)}, deliveries);
    singly_ = waiting_.size();
}

void redis_backlog::add(std::vector<std::string> ids, int deliveries) {
    if (waiting_.empty()) {
        kept_alive_ = clock::now();
    }
    for (auto& id : ids) {
        if (waiting_.size() < waiting_max && !too_large_.contains(id)) {
            waiting_.push_back({std::move(id), deliveries});
        }
    }
}

void redis_backlog::skip(const std::string& id) {
    if (too_large_.size() >= too_large_max) {
        too_large_.erase(too_large_.begin());
    }
    too_large_.insert(id);
    ++skipped_;
    last_skipped_.push_back(id);
    if (last_skipped_.size() > named_max) {
        last_skipped_.pop_front();
    }
}

std::string redis_backlog::skipped() const {
    std::string text;
    for (const auto& id : last_skipped_) {
        text += " " + id;
    }
    return skipped_ == 0
               ? "its entries are read one by one"
               : std::to_string(skipped_) +
                     " entries so far are too large and stay in the stream, the last:" + text;
}

// Reading takes long when many entries are too large, and no other consumer may claim the rest.
void redis_backlog::keep_alive(redis_group& from) {
    const auto now = clock::now();
    if (now - kept_alive_ < redeliver_after_ / 3) {
        return;
    }
    const auto ours = from.keep_alive(ids());
    kept_alive_ = now;
    if (ours.size() < waiting_.size()) {
        const std::set<std::string> left(ours.begin(), ours.end());
        std::erase_if(waiting_, [&](const one& each) { return !left.contains(each.id); });
        singly_ = std::min(singly_, waiting_.size());
    }
}

// Those that are read together have the same number of deliveries.
std::vector<std::string> redis_backlog::next(int limit) const {
    const auto most = singly_ > 0 ? 1 : std::min(limit, size_.most());
    std::vector<std::string> some;
    for (const auto& each : waiting_) {
        if (std::ssize(some) >= most || each.deliveries != waiting_.front().deliveries) {
            break;
        }
        some.push_back(each.id);
    }
    return some;
}

redis_group::entries redis_backlog::read(redis_group& from, int limit) {
    if (!waiting_.empty()) {
        keep_alive(from);
    }
    if (waiting_.empty()) {
        return {};
    }
    const auto some = next(limit);
    try {
        auto found = from.read(some, waiting_.front().deliveries);
        size_.learn(found);
        drop(some.size());
        return found;
    } catch (const redis_answer_given_up& problem) {
        size_.gave_up();
        if (some.size() > 1) {
            singly_ = some.size();
            throw;
        }
        drop(1);
        if (dynamic_cast<const redis_answer_too_large*>(&problem) != nullptr) {
            skip(some.front());
        }
        throw;
    }
}

void redis_backlog::drop(std::size_t count) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    singly_ -= std::min(singly_, count);
}

std::vector<std::string> redis_backlog::ids() const {
    std::vector<std::string> all;
    std::ranges::transform(waiting_, std::back_inserter(all), &one::id);
    return all;
}

}  // namespace postrider::relaying
