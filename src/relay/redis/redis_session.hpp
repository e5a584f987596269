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

/// Maximum number of elements in all arrays of one answer. An entry of a stream has up to a million
/// names and values; an element takes about 100 bytes of memory.
inline constexpr std::size_t redis_answer_elements_max = std::size_t{1} << 21;

/// An answer is larger than a program should hold, or takes too long.
class redis_answer_given_up : public redis_failure {
  public:
    using redis_failure::redis_failure;
};

/// An answer is larger than a program should hold: it would be given up again.
class redis_answer_too_large : public redis_answer_given_up {
  public:
    using redis_answer_given_up::redis_answer_given_up;
};

/// A connection to Redis. Commands are queued and sent together. Throws redis_failure when the
/// connection is lost, and when an answer does not arrive in time: within the timeout, and as long
/// again for each 16 MB.
class redis_session {
  public:
    explicit redis_session(const redis_settings& how);
    redis_session(const redis_session&) = delete;
    redis_session& operator=(const redis_session&) = delete;

    void append(std::span<const std::string_view> command);
    redis_reply next_reply();
    std::size_t answer_bytes() const { return answer_bytes_; }       ///< of the last answer, about
    std::size_t answer_elements() const { return counted_.number; }  ///< of all its arrays
    redis_reply call(const std::vector<std::string_view>& command);

  private:
    struct free_context {
        void operator()(redisContext* one) const noexcept { redisFree(one); }
    };
    /// The elements of an answer, and the functions by which its reader creates them.
    struct counted_elements {
        std::size_t number = 0;
        redisReplyObjectFunctions usual = {};
        redisReplyObjectFunctions counting = {};
    };
    void count_elements();
    void require(const std::vector<std::string_view>& command, const std::string& step);
    void require_ok(int status) const;
    void send_queued();
    void receive_some(std::chrono::steady_clock::time_point began);
    redis_reply parse();

    const std::chrono::milliseconds timeout_;
    std::size_t answer_bytes_ = 0;
    counted_elements counted_;
    bool queued_ = false;  ///< commands that were not sent
    std::unique_ptr<redisContext, free_context> context_;
};

}  // namespace postrider::relaying
