#include "worker/doorbell/listener.hpp"

#include "base/encoding/uuid.hpp"
#include "store/work/schedules.hpp"
#include "worker/coordinator/session_settings.hpp"

namespace postrider::working {
namespace {

constexpr auto probe_timeout = std::chrono::seconds(2);

}  // namespace

void listener::open() {
    close();
    session_.emplace(where_.database);
    const auto watched = watch();
    session_->exec(notice_vanished_clients);
    session_->listen(where_.channel);
}

// Every statement goes through here.
pg::watchdog::guard listener::watch() {
    called_ = true;
    return {watchdog_, *session_, where_.call_timeout};
}

void listener::close() noexcept {
    session_.reset();
    called_ = false;
    relayed_ = false;
}

bool listener::probe(pg::connection& other) {
    const auto watched = watch();
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
    const auto watched = watch();
    return store::notification_queue_usage(*session_);
}

listener::notice listener::take_notifications() {
    called_ = false;
    notice found;
    while (const auto note = session_->wait_notification(std::chrono::milliseconds(0))) {
        found.any = true;
        found.replay = found.replay || note->payload == store::replay_note;
        found.schedule = found.schedule || note->payload == store::schedule_note;
        found.worker_left = found.worker_left || note->payload == store::keeper_note;
        relayed_ = note->payload == store::relay_note;
    }
    return found;
}

store::doorbell_state listener::doorbell() {
    const auto watched = watch();
    return store::doorbell_state_of(*session_, where_.channel);
}

}  // namespace postrider::working
