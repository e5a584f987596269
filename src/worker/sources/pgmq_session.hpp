#pragma once

#include <cstdint>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/source.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pg/connection.hpp"

namespace postrider {

/// The calls of a queue of pgmq. Connects when it has to.
class pgmq_session {
  public:
    explicit pgmq_session(pgmq_options how) : how_(std::move(how)) {}

    /// The columns of read() and read_one(). The message and its headers are null unless it is to
    /// be handled now.
    struct column {
        enum { msg_id, read_ct, sent_at_us, message, headers, handling };
    };
    /// The values of `handling`: now; later, because it does not fit beside those before it; or
    /// never, because it is too large.
    static constexpr const char* now = "now";
    static constexpr const char* later = "later";

    /// Takes up to `limit` messages; `later` ones have to be left. Fails with is_of_a_message()
    /// when PostgreSQL cannot write one of them as text, and takes none then.
    pg::result read(int limit);
    static bool is_of_a_message(const error& problem);
    /// pgmq cannot read messages of the highest read count, which a producer can insert. Hides
    /// those that are visible, and returns their numbers.
    std::vector<std::string> hide_uncountable(std::int64_t for_seconds);
    static bool is_of_a_count(const error& problem) { return problem.sqlstate() == "22003"; }
    /// Takes the next message without reading it.
    std::optional<std::string> take();
    /// A message that was taken.
    pg::result read_one(const std::string& id);

    void remove(std::span<const std::string> ids);
    void hide(std::span<const std::string> ids, std::int64_t for_seconds);
    /// Makes messages visible as if they had not been read.
    void leave(std::span<const std::string> ids);
    /// Seconds until a message that was taken is visible again.
    std::int64_t visibility() const;
    void close() { session_.reset(); }

  private:
    pg::connection& session();

    const pgmq_options how_;
    bool has_headers_ = false;
    std::optional<pg::connection> session_;
};

}  // namespace postrider
