#include "worker/services/receiving.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/fault_points.hpp"

namespace postrider::working {
namespace {

// While the consumer is paused or a handler is held.
constexpr auto broker_question_interval = std::chrono::seconds(1);
constexpr std::size_t skipped_types_max = 100;
// While the database is unavailable, messages that succeed are still handled.
constexpr int unstored_max = 1000;
// Of messages that wait for a thread, run, or are not stored yet. One fetch may exceed it.
constexpr std::size_t held_bytes_max = std::size_t{64} << 20;

bool not_started(const store::failure& one) {
    return one.how == store::outcome::interrupted && !one.handler;
}

}  // namespace

void receiving::open(worker_context& context) {
    if (context.options.source && !receiver_) {
        receiver_ = std::make_unique<receiver>(
            context.options.source, [threads = context.threads] { threads->wake().set(); });
    }
}

void receiving::run(worker_context& context, clock::time_point now, int room) {
    if (!receiver_) {
        return;
    }
    auto arrived = receiver_->take();
    if (arrived.problem) {
        context.report(level::warning, "source_lost", *arrived.problem);
    }
    if (!arrived.notice.empty()) {
        context.report(level::warning, "source_notice", arrived.notice);
    }
    if (arrived.recovered) {
        context.report(level::info, "source_recovered", "the broker answers again");
    }
    if (arrived.kept_alive) {
        kept_alive(context, *arrived.kept_alive);
    }
    if (!arrived.messages.empty()) {
        last_size_ = arrived.bytes / arrived.messages.size();
        hold(context, std::move(arrived.messages), arrived.since);
    }
    settle(context);
    keep_alive(context, now);
    receiver_->answer(std::exchange(answers_, {}));
    receiver_->want(std::min({room, room_by_bytes(context), takes(context)}),
                    context.held.in_hand() > 0);
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

// How many messages the worker takes at most.
int receiving::takes(const worker_context& context) const {
    if (context.stopping || intake_.paused) {
        return 0;
    }
    const auto& handlers = context.threads->environment().handlers.all();
    if (!std::ranges::all_of(handlers, [&](const handler& one) { return is_held(one); })) {
        return std::numeric_limits<int>::max();
    }
    return intake_.probe && unstored_.empty() ? 1 : 0;
}

bool receiving::is_held(const handler& one) const {
    return std::ranges::find(intake_.held, one.name) != intake_.held.end();
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
        } else if (one.deliveries > 1 ||
                   std::ranges::any_of(handlers, [&](const auto* by) { return is_held(*by); })) {
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
    const auto now = clock::now();
    held->claimed_at = now;
    held->begin_before = begin_before(since);
    // The interval is known from the first answer of the broker on.
    next_keep_alive_ = std::min(next_keep_alive_, now + receiver_->keep_alive_interval());
    context.held.hold(held);
    context.threads->push({held, 0, held->size()});
}

// The broker hands out a message again after three intervals. One interval is left for the time
// that the message or the keep-alive took on its way.
clock::time_point receiving::begin_before(clock::time_point since) const {
    return since + 2 * receiver_->keep_alive_interval();
}

// A process that was stopped for a long time has lost its messages, although the broker accepts a
// late keep-alive. Those that have not started are left to the broker.
void receiving::kept_alive(worker_context& context, clock::time_point since) {
    const auto batches = context.held.received();
    for (const auto& batch : batches) {
        const auto before = batch->begin_before.load();
        if (const auto now = clock::now(); now < before) {
            batch->begin_before = std::max(before, begin_before(since));
        } else {
            context.give_back(context.threads->withdraw(batch.get()), now);
        }
    }
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

void receiving::settle(worker_context& context) {
    const auto batches = context.held.received();
    for (const auto& batch : batches) {
        if (!batch->has_reports()) {
            continue;
        }
        std::map<std::int64_t, std::vector<store::failure>> failed;
        for (auto& one : batch->failures) {
            failed[one.seq].push_back(std::move(one));
        }
        auto& messages = batch->received();
        const bool late = clock::now() >= batch->begin_before.load();
        for (const auto& part : batch->finished) {
            for (int index = part.begin; index < part.end; ++index) {
                const auto found = failed.find(index);
                settle_one(messages.take(index),
                           found == failed.end() ? std::vector<store::failure>{}
                                                 : std::move(found->second),
                           late);
            }
        }
        context.held.reported(batch);
    }
}

void receiving::settle_one(received_message message, std::vector<store::failure> failures,
                           bool late) {
    if (failures.empty()) {
        if (!succeeded_.contains(message.event_type)) {
            succeeded_.insert(message.event_type);
        }
        answers_.acknowledged.push_back(std::move(message.receipt));
        return;
    }
    if (std::ranges::all_of(failures, not_started)) {
        // Another worker may run a late one. Its broker hands it out again without an answer.
        if (!late) {
            answers_.given_back.push_back(std::move(message.receipt));
        }
        return;
    }
    if (!failures.front().handler) {  // unreadable: no handler ran
        const auto how = std::move(failures.front());
        failures.clear();
        for (const auto* by : routes_[message.event_type]) {
            failures.push_back(how);
            failures.back().handler = by->name;
        }
    }
    unstored_.add(std::move(message), std::move(failures));
}

// Messages that wait for a thread, run within their timeout, or are not stored yet.
void receiving::keep_alive(const worker_context& context, clock::time_point now) {
    if (now < next_keep_alive_) {
        return;
    }
    next_keep_alive_ = now + receiver_->keep_alive_interval();
    answers_.alive = unstored_.receipts();
    for (const auto& batch : context.held.received()) {
        const auto& messages = batch->received();
        for (int index = 0; !batch->overdue && index < messages.size(); ++index) {
            if (!messages.settled(index)) {
                answers_.alive.push_back(messages[index].receipt);
            }
        }
    }
}

clock::time_point receiving::next_at() const {
    return receiver_ ? next_keep_alive_ : clock::time_point::max();
}

void receiving::store(worker_context& context, clock::time_point now) {
    if (!receiver_ || now < next_store()) {
        return;
    }
    auto& session = context.session();
    const auto interval = context.options.heartbeat_timeout / 3;
    const auto watched = context.watch(session);
    if (unstored_.empty()) {
        learn(store::intake_of(session, context.id), now, interval);
        return;
    }
    const auto began = clock::now();
    POSTRIDER_FAULT("worker.before_settle");
    auto done = unstored_.store(session, context.id, take_succeeded());
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
    learn(std::move(done.after), now, interval);
}

clock::time_point receiving::next_store() const {
    return !receiver_          ? clock::time_point::max()
           : unstored_.empty() ? next_question_
                               : clock::time_point{};
}

void receiving::learn(store::intake now_is, clock::time_point now, clock::duration interval) {
    intake_ = std::move(now_is);
    next_question_ = now + (intake_.paused || !intake_.held.empty()
                                ? std::min<clock::duration>(interval, broker_question_interval)
                                : interval);
}

std::vector<std::string> receiving::take_succeeded() {
    std::set<std::string> names;
    for (const auto& type : std::exchange(succeeded_, {})) {
        for (const auto* by : routes_[type]) {
            names.insert(by->name);
        }
    }
    return {names.begin(), names.end()};
}

bool receiving::idle() const { return !receiver_ || (receiver_->idle() && unstored_.empty()); }

void receiving::close() noexcept {
    if (receiver_) {
        receiver_->close();
        receiver_.reset();
    }
}

}  // namespace postrider::working
