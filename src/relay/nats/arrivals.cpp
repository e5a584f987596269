#include "relay/nats/arrivals.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace postrider::relaying {

/// Takes messages from the thread of libnats, which waits while the buffer is full.
class arrivals::buffer {
  public:
    void put(nats_message one) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            return closed_ || (waiting_.size() < messages_max && bytes_ < bytes_max);
        });
        if (!closed_) {
            bytes_ += size_of(one);
            waiting_.push_back(std::move(one));
            changed_.notify_all();
        }
    }
    nats_message take(std::chrono::steady_clock::time_point until) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_until(lock, until, [this] { return !waiting_.empty(); })) {
            return nullptr;
        }
        auto one = std::move(waiting_.front());
        waiting_.pop_front();
        bytes_ -= size_of(one);
        changed_.notify_all();
        return one;
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

  private:
    static constexpr std::size_t messages_max = 256;
    static constexpr std::size_t bytes_max = 16U << 20U;

    static std::size_t size_of(const nats_message& one) {
        return static_cast<std::size_t>(natsMsg_GetDataLength(one.get()));
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<nats_message> waiting_;
    std::size_t bytes_ = 0;
    bool closed_ = false;
};

arrivals::arrivals(natsConnection* connection, const std::string& subject, int messages_max,
                   int bytes_max)
    : connection_(connection), buffer_(std::make_shared<buffer>()) {
    using shared = std::shared_ptr<buffer>;
    auto mine = std::make_unique<shared>(buffer_);
    natsSubscription* raw = nullptr;
    require_ok(natsConnection_Subscribe(
        &raw, connection, subject.c_str(),
        [](natsConnection*, natsSubscription*, natsMsg* one, void* into) {
            (*static_cast<shared*>(into))->put(nats_message(one));
        },
        mine.get()));
    subscription_ = nats_subscription(raw, {connection});
    // The thread of libnats may run for a while after the end of the subscription.
    require_ok(natsSubscription_SetOnCompleteCB(
        raw, [](void* into) { const std::unique_ptr<shared> last(static_cast<shared*>(into)); },
        mine.release()));
    require_ok(natsSubscription_SetPendingLimits(raw, messages_max, bytes_max));
}

arrivals::~arrivals() {
    buffer_->close();
    natsSubscription_Unsubscribe(subscription_.get());
}

nats_message arrivals::next(std::chrono::steady_clock::time_point until) {
    constexpr auto look_every = std::chrono::milliseconds(100);
    while (true) {
        const auto now = std::chrono::steady_clock::now();
        if (auto one = buffer_->take(std::min(until, now + look_every))) {
            return one;
        }
        if (natsConnection_Status(connection_) != NATS_CONN_STATUS_CONNECTED) {
            throw nats_failure(NATS_CONNECTION_CLOSED);
        }
        if (std::chrono::steady_clock::now() >= until) {
            return nullptr;
        }
    }
}

}  // namespace postrider::relaying
