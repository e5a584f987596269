#include "serve/figures/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <postrider/error.hpp>
#include <utility>

#include "migrate/recorded.hpp"
#include "store/reads/figures.hpp"

namespace postrider::serve {

using clock = std::chrono::steady_clock;

sampler::sampler(pool& database, const serve_options& options)
    : database_(database), options_(options), thread_([this] { run(); }) {}

sampler::~sampler() {
    stop();
    thread_.join();
}

void sampler::stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
}

bool sampler::stopped() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

void sampler::run() {
    auto due = clock::now();
    while (true) {
        try {
            look();
        } catch (const std::exception&) {
            const std::lock_guard lock(mutex_);
            problem_ = std::current_exception();
            // Rates over a gap would be wrong.
            counters_.reset();
            changed_.notify_all();
        }
        due = std::max(due + options_.sample_every, clock::now());
        std::unique_lock lock(mutex_);
        if (changed_.wait_until(lock, due, [this] { return stopping_; })) {
            return;
        }
    }
}

void sampler::look() {
    const auto began = clock::now();
    const bool troubled = problem_ != nullptr;  // written by this thread only
    const auto seen = database_.with([&](pg::connection& session) {
        migrate::require_schema(session);
        if (troubled) {
            // Roles come with the schema.
            database_.look_at_rights(session);
        }
        return store::figures(session, counters_);
    });
    const std::chrono::duration<double, std::milli> took = clock::now() - began;
    auto before = std::exchange(counters_, seen.counters);
    auto made = std::make_shared<sample>();
    auto figures = nlohmann::ordered_json::parse(seen.figures);
    figures["xmin"] = nlohmann::ordered_json::parse(seen.xmin);
    figures["sample_ms"] = std::round(took.count() * 10) / 10;
    made->figures = figures.dump();
    const std::lock_guard lock(mutex_);
    made->number = newest_ ? newest_->number + 1 : 1;
    newest_ = std::move(made);
    counters_before_ = std::move(before);
    problem_ = nullptr;
    remember(seen.point);
    changed_.notify_all();
}

// A point holds the mean of the rates since the previous point.
void sampler::remember(const std::string& point) {
    auto seen = nlohmann::ordered_json::parse(point);
    published_ += seen["published_per_s"].get<double>();
    delivered_ += seen["delivered_per_s"].get<double>();
    failed_ += seen["failed_per_s"].get<double>();
    ++summed_;
    const auto now = clock::now();
    if (now < point_due_) {
        return;
    }
    // A deviation of half an interval is allowed.
    point_due_ = now + options_.point_every - options_.sample_every / 2;
    const auto mean = [this](double& sum) {
        const auto value = std::round(sum / summed_ * 1000) / 1000;
        sum = 0;
        return value;
    };
    seen["published_per_s"] = mean(published_);
    seen["delivered_per_s"] = mean(delivered_);
    seen["failed_per_s"] = mean(failed_);
    summed_ = 0;
    history_.push_back(std::move(seen));
    while (history_.size() > options_.points) {
        history_.pop_front();
    }
}

std::shared_ptr<const sampler::sample> sampler::newest() const {
    // A page that is opened while the server starts sends its request before the first sample.
    constexpr std::chrono::seconds first_sample{2};
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, first_sample, [this] { return stopping_ || problem_ || newest_; });
    if (problem_) {
        std::rethrow_exception(problem_);
    }
    if (!newest_) {
        throw connection_error("no figures have been read yet; try again", {.retryable = true});
    }
    return newest_;
}

std::shared_ptr<const sampler::sample> sampler::next(std::uint64_t number,
                                                     std::chrono::milliseconds timeout) const {
    std::unique_lock lock(mutex_);
    // An old sample would look like a live one.
    const auto found = [&] { return !problem_ && newest_ && newest_->number > number; };
    changed_.wait_for(lock, timeout, [&] { return stopping_ || found(); });
    return !stopping_ && found() ? newest_ : nullptr;
}

nlohmann::ordered_json sampler::history() const {
    const std::lock_guard lock(mutex_);
    return history_;
}

std::optional<std::string> sampler::counters() const {
    const std::lock_guard lock(mutex_);
    return counters_before_;
}

}  // namespace postrider::serve
