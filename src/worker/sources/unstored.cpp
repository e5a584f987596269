#include "worker/sources/unstored.hpp"

#include <postrider/error.hpp>
#include <utility>

#include "worker/sources/received_batch.hpp"

namespace postrider::working {
namespace {

constexpr std::size_t messages_max = 500;
constexpr std::size_t bytes_max = std::size_t{4} << 20;

// About the message and not about the server: it would be refused again.
bool is_refused_message(const error& problem) {
    const auto& state = problem.sqlstate();
    return problem.code() == errc::invalid_argument || problem.code() == errc::too_large ||
           problem.code() == errc::handler_not_found || state.starts_with("22") ||
           state.starts_with("23");
}

// hand_over() would refuse it, and a much larger one would not even reach it.
bool is_too_large(const received_message& message) {
    constexpr std::size_t payload_max = std::size_t{16} << 20;
    constexpr std::size_t headers_max = std::size_t{1} << 20;
    return message.payload.size() > payload_max ||
           message.headers.value_or("").size() > headers_max;
}

}  // namespace

void unstored::add(received_message message, std::vector<store::failure> failures) {
    bytes_ += bytes_of(message);
    waiting_.push_back({std::move(message), std::move(failures)});
}

void unstored::append_receipts(receiver::receipts& to) const {
    for (const auto& one : waiting_) {
        to.push_back(one.message.receipt);
    }
}

store::intake unstored::store(pg::connection& session, const uuid& worker,
                              std::span<const item* const> items,
                              std::span<const std::string> succeeded) {
    std::vector<store::handed_over> all;
    for (const auto* one : items) {
        if (is_too_large(one->message)) {
            throw error(errc::too_large, "the payload has " +
                                             std::to_string(one->message.payload.size()) +
                                             " bytes; 16 MB, and 1 MB of headers, can be stored");
        }
        for (const auto& failure : one->failures) {
            all.push_back({&one->message, &failure});
        }
    }
    return store::hand_over_many(session, worker, all, succeeded);
}

unstored::result unstored::store(pg::connection& session, const uuid& worker,
                                 std::span<const std::string> succeeded) {
    std::vector<const item*> chosen;
    for (std::size_t bytes = 0; const auto& one : waiting_) {
        bytes += one.message.payload.size();
        if (chosen.size() == messages_max || (bytes > bytes_max && !chosen.empty())) {
            break;
        }
        chosen.push_back(&one);
    }
    result made;
    std::vector<bool> stored(chosen.size(), true);
    try {
        made.after = store(session, worker, chosen, succeeded);
    } catch (const error& problem) {
        if (!is_refused_message(problem)) {
            throw;
        }
        // One by one: a refused message must not hold up the others.
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            try {
                made.after = store(session, worker, std::span(chosen).subspan(i, 1), succeeded);
            } catch (const error& about_one) {
                if (!is_refused_message(about_one)) {
                    throw;
                }
                stored[i] = false;
                made.refused.emplace_back(about_one.what());
            }
        }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        bytes_ -= bytes_of(waiting_.front().message);
        if (stored[i]) {
            made.stored.push_back(std::move(waiting_.front().message.receipt));
        }
        waiting_.pop_front();
    }
    return made;
}

}  // namespace postrider::working
