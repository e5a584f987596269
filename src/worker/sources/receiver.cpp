#include "worker/sources/receiver.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/blocked_signals.hpp"
#include "worker/sources/received_batch.hpp"

namespace postrider::working {
namespace {

using std::chrono::milliseconds;

// Answers wait for a fetch to end, so it is short while the worker has messages.
constexpr auto busy_wait = milliseconds(10);
constexpr auto idle_wait = milliseconds(200);
constexpr int idle_after = 2;
constexpr auto notice_interval = std::chrono::seconds(30);
// Each fetch wakes the coordinator and a handler thread. While messages stream in, they collect
// for this time, unless there are few.
constexpr auto collect_time = milliseconds(2);
constexpr std::size_t few = 4;
// After this many bytes the coordinator decides about more: it counts the bytes that the worker
// holds.
constexpr std::size_t large = std::size_t{8} << 20;

void append(receiver::receipts& to, receiver::receipts& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from.clear();
}

}  // namespace

receiver::receiver(std::shared_ptr<source> from, std::function<void()> wake)
    : from_(std::move(from)), wake_(std::move(wake)) {
    const blocked_signals meanwhile;
    thread_ = std::thread([this] { work(); });
}

receiver::~receiver() { close(); }

void receiver::want(int count, bool busy) {
    const std::lock_guard lock(mutex_);
    busy_ = busy;
    if (wanted_ != count) {
        wanted_ = count;
        changed_.notify_one();
    }
}

receiver::arrived receiver::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrived_, {});
}

void receiver::answer(answers more) {
    if (more.empty()) {
        return;
    }
    const std::lock_guard lock(mutex_);
    append(answers_.acknowledged, more.acknowledged);
    append(answers_.given_back, more.given_back);
    append(answers_.alive, more.alive);
    changed_.notify_one();
}

milliseconds receiver::keep_alive_interval() const {
    const std::lock_guard lock(mutex_);
    return keep_alive_interval_;
}

bool receiver::idle() const {
    const std::lock_guard lock(mutex_);
    return empty_fetches_ >= idle_after && arrived_.messages.empty();
}

void receiver::work() {
    std::unique_lock lock(mutex_);
    while (!closing_) {
        const auto now = clock::now();
        if (!trouble_.over(now)) {
            changed_.wait_until(lock, trouble_.until(), [&] { return closing_; });
            continue;
        }
        changed_.wait_until(lock, collects_until_, [&] { return closing_; });
        // Messages that were requested earlier may arrive while no more are wanted.
        changed_.wait_until(lock, now + idle_wait,
                            [&] { return closing_ || wanted_ > 0 || !answers_.empty(); });
        auto ready = std::exchange(answers_, {});
        const int limit = wanted_;
        const auto wait = limit == 0 ? milliseconds(0) : busy_ ? busy_wait : idle_wait;
        lock.unlock();
        serve(std::move(ready), limit, wait);
        lock.lock();
    }
    auto last = std::exchange(answers_, {});
    auto untaken = std::exchange(arrived_.messages, {});
    lock.unlock();
    finish(std::move(last), std::move(untaken));
}

// Without the lock, as finish(): both may wait for the broker.
void receiver::serve(answers now, int limit, milliseconds wait) {
    try {
        const auto began = clock::now();
        const bool keeps_alive = !now.alive.empty();
        send(now);
        if (keeps_alive) {
            note_kept_alive(began);
        }
        // The process may have been stopped in between, with messages in its buffers.
        const auto since = std::exchange(fetched_, {}).value_or(began);
        put(from_->fetch(limit, wait), limit, wait == idle_wait, since);
        fetched_ = clock::now();
        heed(from_->notice());
    } catch (const std::exception& problem) {
        failed(problem.what(), std::move(now));
    }
}

void receiver::finish(answers last, std::vector<received_message> untaken) {
    try {
        std::ranges::move(from_->fetch(0, milliseconds(0)), std::back_inserter(untaken));
        for (auto& one : untaken) {
            last.given_back.push_back(std::move(one.receipt));
        }
        last.alive.clear();
        send(last);
    } catch (const std::exception&) {
        // The broker hands out messages without an answer again.
    }
    try {
        from_->close();
    } catch (const std::exception&) {
        // The broker notices after a timeout.
    }
    try {
        last_notice();
    } catch (const std::exception&) {
        // The earlier ones are logged.
    }
}

void receiver::send(answers& now) {
    const auto each = [](receipts& some, auto&& call) {
        if (!some.empty()) {
            call(some);
            some.clear();
        }
    };
    each(now.acknowledged, [&](const receipts& some) { from_->acknowledge(some); });
    each(now.given_back, [&](const receipts& some) { from_->give_back(some); });
    each(now.alive, [&](const receipts& some) { from_->keep_alive(some); });
}

void receiver::note_kept_alive(clock::time_point began) {
    {
        const std::lock_guard lock(mutex_);
        arrived_.kept_alive = began;
    }
    wake_();
}

void receiver::put(std::vector<received_message> messages, int limit, bool waited,
                   clock::time_point since) {
    {
        const std::lock_guard lock(mutex_);
        const bool streaming = few < messages.size() && std::ssize(messages) < limit;
        collects_until_ = streaming ? clock::now() + collect_time : clock::time_point{};
        keep_alive_interval_ = from_->keep_alive_interval();
        arrived_.recovered = trouble_.worked() || arrived_.recovered;
        for (const auto& one : messages) {
            arrived_.bytes += bytes_of(one);
        }
        wanted_ =
            arrived_.bytes > large ? 0 : std::max(0, wanted_ - static_cast<int>(messages.size()));
        empty_fetches_ = !messages.empty() ? 0 : waited ? empty_fetches_ + 1 : empty_fetches_;
        if (messages.empty() && !arrived_.recovered && empty_fetches_ != idle_after) {
            return;
        }
        arrived_.since = std::min(arrived_.since, since);
        std::ranges::move(messages, std::back_inserter(arrived_.messages));
    }
    wake_();
}

// The source met something else than messages, and there may be more behind it. The last notice of
// an interval is the one that counts all of them.
void receiver::heed(std::string notice) {
    const auto now = clock::now();
    const std::lock_guard lock(mutex_);
    if (!notice.empty()) {
        // A broker that causes one notice after the other must not keep a processor busy.
        collects_until_ = now + busy_wait;
        empty_fetches_ = 0;
        notice_ = std::move(notice);
    }
    if (!notice_.empty() && now >= next_notice_) {
        next_notice_ = now + notice_interval;
        arrived_.notice = std::exchange(notice_, {});
        wake_();
    }
}

// There is no later one that would count what this one does.
void receiver::last_notice() {
    auto notice = from_->notice();
    const std::lock_guard lock(mutex_);
    if (notice.empty()) {
        notice = std::move(notice_);
    }
    if (!notice.empty()) {
        arrived_.notice = std::move(notice);
    }
}

void receiver::failed(const std::string& why, answers unsent) {
    const std::lock_guard lock(mutex_);
    // Messages that have been kept alive too late are handed out again in any case.
    append(answers_.acknowledged, unsent.acknowledged);
    append(answers_.given_back, unsent.given_back);
    empty_fetches_ = 0;
    if (trouble_.failed(why, clock::now())) {
        arrived_.problem = why;
        wake_();
    }
}

void receiver::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

}  // namespace postrider::working
