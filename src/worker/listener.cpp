#include "worker/listener.hpp"

#include "base/uuid.hpp"
#include "worker/session_settings.hpp"

namespace postrider::working {
namespace {

constexpr auto probe_timeout = std::chrono::seconds(2);

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
    return {watchdog_, *session_, where_.call_timeout};
}

void listener::close() noexcept {
    session_.reset();
    spoke_ = false;
    relay_ = false;
}

bool listener::probe(pg::connection& other) {
    const auto watched = speak();
    const auto name = "postrider_probe_" + uuid::random().text();
    session_->listen(name);
    store::wake_all(other, name);
    const auto deadline = clock::now() + probe_timeout;
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
    leaving_ = false;
    bool rung = false;
    while (const auto note = session_->wait_notification(std::chrono::milliseconds(0))) {
        rung = true;
        replay_ = replay_ || note->payload == store::replay_note;
        leaving_ = leaving_ || note->payload == store::keeper_note;
        relay_ = note->payload == store::relay_note;
    }
    return rung;
}

store::doorbell_state listener::doorbell() {
    const auto watched = speak();
    return store::doorbell_state_of(*session_, where_.channel);
}

}  // namespace postrider::working
