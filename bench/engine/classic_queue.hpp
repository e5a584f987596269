#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/lab/lab.hpp"

namespace postrider::bench {

/// The queue most people write: a row per message with a status, claimed by an UPDATE over SKIP
/// LOCKED that returns the row, acknowledged by another UPDATE. Same columns and payload as ours,
/// and the partial index without which it could not retry later.
void make_classic_table(const fresh_database& database);
inline constexpr const char* classic_table = "classic.message";

class classic_worker {
  public:
    explicit classic_worker(pg::connection session);

    /// Acknowledges the messages it holds, then claims the next; returns their number.
    int exchange(int limit);
    /// The payload of a message it holds.
    std::string_view payload(int index) const { return rows_.text(index, 8); }
    pg::connection& session() { return session_; }

  private:
    pg::connection session_;
    pg::result rows_;
    std::vector<std::string> held_;
};

}  // namespace postrider::bench
