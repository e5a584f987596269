#include "worker/listener.hpp"

#include "base/uuid.hpp"
#include "store/doorbell.hpp"
#include "worker/session_settings.hpp"

namespace postrider::working {
namespace {

// A keeper that dies leaves nobody to be rung for; this is how long that can stay unnoticed.
constexpr auto keeper_retry = std::chrono::seconds(5);
constexpr auto probe_patience = std::chrono::seconds(2);

}  // namespace

void listener::open() {
    close();
    session_.emplace(where_.database);
    const auto watched = speak();
    session_->exec(notice_vanished_clients);
    session_->listen(where_.channel);
}

// Every statement goes through here.
pg::watchdog::guard listener::speak() {
    spoke_ = true;
    return {watchdog_, *session_, where_.patience};
}

void listener::close() noexcept {
    session_.reset();
    spoke_ = false;
    keeper_ = false;
    bell_ = false;
    next_try_ = {};
}

bool listener::probe(pg::connection& other) {
    const auto watched = speak();
    const auto name = "postrider_probe_" + uuid::random().text();
    session_->listen(name);
    store::wake_all(other, name);
    const auto deadline = clock::now() + probe_patience;
    bool heard = false;
    while (!heard && clock::now() < deadline) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
        const auto note = session_->wait_notification(left);
        heard = note && note->channel == name;
    }
    session_->unlisten(name);
    return heard;
}

double listener::check() {
    const auto watched = speak();
    return store::notification_queue_usage(*session_);
}

bool listener::take_notifications() {
    spoke_ = false;
    replay_ = false;
    bool rung = false;
    while (const auto note = session_->wait_notification(std::chrono::milliseconds(0))) {
        rung = true;
        replay_ = replay_ || note->payload == store::replay_note;
    }
    return rung;
}

listener::answer listener::may_wait(clock::time_point now) {
    if (bell_) {
        return answer::wait;
    }
    const auto watched = speak();
    if (!keeper_ && now >= next_try_) {
        keeper_ = store::doorbell_keep(*session_, where_.channel);
        next_try_ = now + keeper_retry;
    }
    if (!keeper_) {
        return answer::wait;
    }
    switch (store::doorbell_sleep(*session_, where_.channel)) {
        case store::sleep_answer::asleep:
            bell_ = true;
            return answer::look_again;
        case store::sleep_answer::busy:
            return answer::look_soon;
        case store::sleep_answer::poll:
            break;
    }
    return answer::poll;
}

void listener::stop_ringing() {
    if (bell_) {
        const auto watched = speak();
        store::doorbell_wake(*session_, where_.channel);
        bell_ = false;
    }
}

void listener::wake_others() {
    const auto watched = speak();
    store::wake_all(*session_, where_.channel);
}

}  // namespace postrider::working
