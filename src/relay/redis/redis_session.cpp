#include "relay/redis/redis_session.hpp"

#include <sys/time.h>

#include <algorithm>
#include <new>
#include <postrider/error.hpp>

namespace postrider::relaying {
namespace {

// More than any message that a worker could store. A server that never stops sending is
// disconnected.
constexpr std::size_t redis_answer_bytes_max = std::size_t{256} << 20;
constexpr std::size_t bytes_per_timeout_min = std::size_t{16} << 20;

timeval as_timeval(std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(time - seconds);
    return {static_cast<time_t>(seconds.count()), static_cast<suseconds_t>(rest.count())};
}

}  // namespace

redis_settings redis_at(const relay_url& url, std::chrono::milliseconds timeout) {
    if (!std::ranges::all_of(url.path, [](char c) { return c >= '0' && c <= '9'; })) {
        throw usage_error("the path of a Redis URL is the number of a database");
    }
    constexpr int default_port = 6379;
    const auto [host, port] = host_of(url, default_port);
    return {.host = host,
            .port = port,
            .user = url.user,
            .password = url.password,
            .database = url.path,
            .timeout = timeout};
}

redis_session::redis_session(const redis_settings& how)
    : timeout_(how.timeout),
      context_(redisConnectWithTimeout(how.host.c_str(), how.port, as_timeval(how.timeout))) {
    if (!context_) {
        throw std::bad_alloc();
    }
    if (context_->err != 0) {
        throw redis_failure(context_->errstr);
    }
    count_elements();
    redisSetTimeout(context_.get(), as_timeval(how.timeout));
    redisEnableKeepAlive(context_.get());
    if (!how.password.empty()) {
        require(how.user.empty() ? std::vector<std::string_view>{"AUTH", how.password}
                                 : std::vector<std::string_view>{"AUTH", how.user, how.password},
                "refuses the credentials");
    }
    if (!how.database.empty()) {
        require({"SELECT", how.database}, "refuses the database " + how.database);
    }
}

// hiredis allocates an array before its elements arrive, and version 0.14 has no limit for it. A
// null pointer ends the reading. The type of the number depends on the version.
void redis_session::count_elements() {
    auto& reader = *context_->reader;
    counted_.usual = counted_.counting = *reader.fn;
    counted_.counting.createArray = [](const redisReadTask* task, auto count) -> void* {
        auto& counted = *static_cast<counted_elements*>(task->privdata);
        counted.number += static_cast<std::size_t>(count);
        return counted.number > redis_answer_elements_max ? nullptr
                                                          : counted.usual.createArray(task, count);
    };
    reader.fn = &counted_.counting;
    reader.privdata = &counted_;
}

void redis_session::append(std::span<const std::string_view> command) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const auto& one : command) {
        texts.push_back(one.data());
        lengths.push_back(one.size());
    }
    require_ok(redisAppendCommandArgv(context_.get(), static_cast<int>(command.size()),
                                      texts.data(), lengths.data()));
    queued_ = true;
}

void redis_session::require_ok(int status) const {
    if (status != REDIS_OK) {
        throw redis_failure(context_->errstr);
    }
}

void redis_session::send_queued() {
    for (int done = 0; done == 0;) {
        require_ok(redisBufferWrite(context_.get(), &done));
    }
    queued_ = false;
}

// redisGetReply() would read for as long as bytes arrive.
void redis_session::receive_some(std::chrono::steady_clock::time_point began) {
    const auto before = context_->reader->len;
    require_ok(redisBufferRead(context_.get()));
    answer_bytes_ += context_->reader->len - before;
    if (answer_bytes_ > redis_answer_bytes_max) {
        throw redis_answer_too_large("an answer has more than " +
                                     std::to_string(redis_answer_bytes_max) + " bytes");
    }
    const auto times = static_cast<int>(1 + answer_bytes_ / bytes_per_timeout_min);
    if (std::chrono::steady_clock::now() - began > times * timeout_) {
        throw redis_answer_given_up("an answer did not arrive in time");
    }
}

// Null while the answer is not complete.
redis_reply redis_session::parse() {
    void* raw = nullptr;
    const int status = redisGetReplyFromReader(context_.get(), &raw);
    if (counted_.number > redis_answer_elements_max) {
        throw redis_answer_too_large("an answer has more than " +
                                     std::to_string(redis_answer_elements_max) + " elements");
    }
    require_ok(status);
    return redis_reply(static_cast<redisReply*>(raw));
}

redis_reply redis_session::next_reply() {
    answer_bytes_ = 0;
    counted_.number = 0;
    auto reply = parse();
    if (!reply) {
        send_queued();
    } else if (queued_) {
        throw redis_failure("it sent an unexpected answer");
    }
    for (const auto began = std::chrono::steady_clock::now(); !reply;) {
        receive_some(began);
        reply = parse();
    }
    return reply;
}

redis_reply redis_session::call(const std::vector<std::string_view>& command) {
    append(command);
    return next_reply();
}

void redis_session::require(const std::vector<std::string_view>& command, const std::string& step) {
    if (call(command)->type == REDIS_REPLY_ERROR) {
        throw redis_failure("it " + step);
    }
}

}  // namespace postrider::relaying
