#pragma once

#include <hiredis/hiredis.h>

#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "relay/relay_url.hpp"

namespace postrider::relaying {

struct redis_settings {
    std::string host;
    int port = 0;
    std::string user;
    std::string password;
    std::string database;  ///< a number; empty: 0
    std::chrono::milliseconds timeout;
    std::chrono::milliseconds dedupe_for = {};
    std::chrono::milliseconds keep_for = {};
};

/// The server that a URL names. Throws usage_error when its path is not the number of a database.
redis_settings redis_at(const relay_url& url, std::chrono::milliseconds timeout);

/// The connection failed; the text never contains credentials.
class redis_failure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct free_reply {
    void operator()(redisReply* one) const noexcept { freeReplyObject(one); }
};
using redis_reply = std::unique_ptr<redisReply, free_reply>;

/// A connection to Redis. Commands are queued and sent together. Throws redis_failure when the
/// connection is lost.
class redis_session {
  public:
    explicit redis_session(const redis_settings& how);

    void append(std::span<const std::string_view> command);
    redis_reply next_reply();
    redis_reply call(const std::vector<std::string_view>& command);

  private:
    struct free_context {
        void operator()(redisContext* one) const noexcept { redisFree(one); }
    };
    void require(const std::vector<std::string_view>& command, const std::string& step);

    std::unique_ptr<redisContext, free_context> context_;
};

}  // namespace postrider::relaying
