#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/lab/lab.hpp"

namespace postrider::bench {

/// The usual hand-written queue: a row per message with a status, claimed by an UPDATE with SKIP
/// LOCKED that returns the row, acknowledged by another UPDATE. It has the same columns and payload
/// as ours, and the partial index that later retries need.
void make_classic_table(const fresh_database& database);
inline constexpr const char* classic_table = "classic.message";

enum class classic_order { due, priority };
/// Puts the priority into the index, for claims in that order.
inline constexpr const char* classic_by_priority =
    "drop index classic.message_due_idx;"
    " create index message_due_idx on classic.message (priority desc, due_at, seq)"
    " where status = 'pending'";

class classic_worker {
  public:
    explicit classic_worker(pg::connection session, classic_order order = classic_order::due);

    /// Acknowledges the messages it holds, then claims the next; returns their number.
    int exchange(int limit);
    /// The same, but a message it holds for the first time has failed and is due again at once.
    int exchange_failing_once(int limit);
    /// The payload of a message it holds.
    std::string_view payload(int index) const { return rows_.text(index, 8); }
    pg::connection& session() { return session_; }

  private:
    void report(const char* statement, const std::vector<std::string>& ids);
    int claim(int limit);

    pg::connection session_;
    pg::result rows_;
    std::vector<std::string> held_;        // claimed before
    std::vector<std::string> first_held_;  // claimed for the first time
};

}  // namespace postrider::bench
