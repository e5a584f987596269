#include "relay/redis/redis_session.hpp"

#include <sys/time.h>

#include <algorithm>
#include <new>
#include <postrider/error.hpp>

namespace postrider::relaying {
namespace {

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
    : context_(redisConnectWithTimeout(how.host.c_str(), how.port, as_timeval(how.timeout))) {
    if (!context_) {
        throw std::bad_alloc();
    }
    if (context_->err != 0) {
        throw redis_failure(context_->errstr);
    }
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

void redis_session::append(std::span<const std::string_view> command) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const auto& one : command) {
        texts.push_back(one.data());
        lengths.push_back(one.size());
    }
    if (redisAppendCommandArgv(context_.get(), static_cast<int>(command.size()), texts.data(),
                               lengths.data()) != REDIS_OK) {
        throw redis_failure(context_->errstr);
    }
}

redis_reply redis_session::next_reply() {
    void* raw = nullptr;
    if (redisGetReply(context_.get(), &raw) != REDIS_OK || raw == nullptr) {
        throw redis_failure(context_->errstr);
    }
    return redis_reply(static_cast<redisReply*>(raw));
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
