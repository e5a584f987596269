#include "worker/services/receiving.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fault_points.hpp"

namespace postrider::working {
namespace {

constexpr std::size_t skipped_types_max = 100;
// While the database is unavailable, messages that succeed are still handled.
constexpr int unstored_max = 1000;
// Of messages that wait for a thread, run, or are not stored yet. One fetch may exceed it.
constexpr std::size_t held_bytes_max = std::size_t{64} << 20;

}  // namespace

void receiving::open(worker_context& context) {
    if (context.options.source && !receiver_) {
        receiver_ = std::make_unique<receiver>(
            context.options.source, [threads = context.threads] { threads->wake().set(); });
    }
}

void receiving::tell(worker_context& context, const receiver::arrived& of) {
    if (of.problem) {
        context.report(level::warning, "source_lost", *of.problem);
    }
    if (!of.notice.empty()) {
        context.report(level::warning, "source_notice", of.notice);
    }
    if (of.recovered) {
        context.report(level::info, "source_recovered", "the broker answers again");
    }
}

void receiving::run(worker_context& context, clock::time_point now, int room) {
    if (!receiver_) {
        return;
    }
    auto arrived = receiver_->take();
    tell(context, arrived);
    if (arrived.kept_alive) {
        redelivery::extended(context, *arrived.kept_alive, receiver_->keep_alive_interval());
    }
    if (!arrived.messages.empty()) {
        last_size_ = arrived.bytes / arrived.messages.size();
        hold(context, std::move(arrived.messages), arrived.since);
    }
    outcomes_.settle(context, answers_, unstored_);
    if (auto alive = redelivery_.due(context, now, receiver_->keep_alive_interval())) {
        answers_.alive = std::move(*alive);
        unstored_.append_receipts(answers_.alive);
    }
    receiver_->answer(std::exchange(answers_, {}));
    const auto& handlers = context.threads->environment().handlers.all();
    const int allowed = context.stopping ? 0 : intake_.limit(handlers, unstored_.empty());
    receiver_->want(std::min({room, room_by_bytes(context), allowed}), context.held.in_hand() > 0);
}

// As many messages of the size of the last ones as there is memory for.
int receiving::room_by_bytes(const worker_context& context) {
    auto bytes = unstored_.bytes();
    for (const auto& batch : context.held.received()) {
        bytes += batch->received().bytes();
    }
    full_ = bytes >= held_bytes_max || unstored_.size() >= unstored_max;
    const auto count = full_ ? 0 : 1 + ((held_bytes_max - bytes) / (last_size_ + 1));
    return static_cast<int>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
}

void receiving::hold(worker_context& context, std::vector<received_message> messages,
                     clock::time_point since) {
    std::vector<received_message> fresh;
    for (auto& one : messages) {
        fit(one);
        const auto& handlers = routes_[one.event_type];
        if (context.stopping) {
            answers_.given_back.push_back(std::move(one.receipt));
        } else if (handlers.empty()) {
            skip(context, one);
        } else if (one.deliveries > 1 || std::ranges::any_of(handlers, [&](const auto* by) {
                       return intake_.is_held(*by);
                   })) {
            set_aside(std::move(one), handlers);
        } else {
            fresh.push_back(std::move(one));
        }
    }
    if (fresh.empty()) {
        return;
    }
    POSTRIDER_FAULT("worker.after_claim");
    const auto held = std::make_shared<held_batch>(received_batch(std::move(fresh)));
    held->look_for_batches(context.threads->environment().handlers);
    held->claimed_at = clock::now();
    redelivery_.begin(*held, since, receiver_->keep_alive_interval());
    context.held.hold(held);
    context.threads->push({held, 0, held->size()});
}

// A message that a lost worker had may be the cause. The database treats it like the messages of a
// lost lease: it runs uncharged, as a suspect, and after another crash alone.
void receiving::set_aside(received_message message, const std::vector<const handler*>& handlers) {
    std::vector<store::failure> all;
    for (const auto* by : handlers) {
        store::failure one{.seq = 0, .how = store::outcome::interrupted, .handler = by->name};
        if (message.deliveries > 1) {
            one.error_class = "worker_lost";
            one.error =
                "the broker has handed it out " + std::to_string(message.deliveries) + " times";
        }
        all.push_back(std::move(one));
    }
    unstored_.add(std::move(message), std::move(all));
}

// As in the log: a message of a type that no handler takes is not for this consumer.
void receiving::skip(worker_context& context, received_message& message) {
    if (skipped_.size() < skipped_types_max && skipped_.insert(message.event_type).second) {
        context.report(level::warning, "no_handler",
                       "messages of type " + message.event_type +
                           " are acknowledged without a run: no handler accepts them");
    }
    answers_.acknowledged.push_back(std::move(message.receipt));
}

clock::time_point receiving::next_at() const {
    return receiver_ ? redelivery_.next_at() : clock::time_point::max();
}

void receiving::store(worker_context& context, clock::time_point now) {
    if (!receiver_ || now < next_store()) {
        return;
    }
    auto& session = context.session();
    const auto interval = context.options.heartbeat_timeout / 3;
    const auto watched = context.watch(session);
    if (unstored_.empty()) {
        intake_.learn(store::intake_of(session, context.id), now, interval);
        return;
    }
    const auto began = clock::now();
    POSTRIDER_FAULT("worker.before_settle");
    auto done = unstored_.store(session, context.id, outcomes_.take_succeeded());
    POSTRIDER_FAULT("worker.after_settle");
    context.measure("hand_over", began);
    answers_.acknowledged = std::move(done.stored);
    receiver_->answer(std::exchange(answers_, {}));
    if (full_) {
        context.threads->wake().set();  // run() may request messages again
    }
    for (const auto& why : done.refused) {
        context.report(level::error, "hand_over_refused",
                       "a message that failed cannot be stored and stays in the broker: " + why);
    }
    context.due_changed = true;
    context.dead_letters = true;
    intake_.learn(std::move(done.after), now, interval);
}

clock::time_point receiving::next_store() const {
    return !receiver_          ? clock::time_point::max()
           : unstored_.empty() ? intake_.next_question()
                               : clock::time_point{};
}

bool receiving::idle() const { return !receiver_ || (receiver_->idle() && unstored_.empty()); }

void receiving::close(worker_context& context) noexcept {
    if (receiver_) {
        receiver_->close();
        tell(context, receiver_->take());
        receiver_.reset();
    }
}

}  // namespace postrider::working
