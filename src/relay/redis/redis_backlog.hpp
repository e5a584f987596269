#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "relay/redis/redis_group.hpp"

namespace postrider::relaying {

/// How many entries one answer should have. Redis limits a read by their number, and they may have
/// any size: the next ones are expected to be as large as the last ones.
class redis_read_size {
  public:
    explicit redis_read_size(int first) : most_(first) {}

    int most() const { return most_; }
    void learn(const redis_group::entries& last);
    void gave_up() { most_ = most_ > 4 ? most_ / 4 : 1; }

    static bool is_full(const redis_group::entries& some);

  private:
    int most_;
};

/// The entries that a member of a group reads by their ids: those of lost consumers, and those of
/// an answer that was given up. It outlives the connection, so that an entry that is too large for
/// an answer costs one attempt, and the ones behind it are reached.
class redis_backlog {
  public:
    explicit redis_backlog(std::chrono::milliseconds redeliver_after)
        : redeliver_after_(redeliver_after) {}

    /// Claims entries of lost consumers, when it is time to and no others wait to be read.
    void claim(redis_group& from, int limit);
    /// Reads one answer. redis_answer_given_up: the next calls continue with smaller answers and
    /// the next entries, on another connection.
    redis_group::entries read(redis_group& from, int limit);
    /// This consumer's entries of an answer that was given up; no handler has had them.
    void add_unread(std::vector<std::string> ids);
    /// An entry that was read and is to be read once more, alone.
    void put_back(std::string id, int deliveries);
    /// It is not read again.
    void skip(const std::string& id);
    /// A text for operators: the entries that are not read.
    std::string skipped() const;

    bool empty() const { return waiting_.empty(); }
    std::vector<std::string> ids() const;

  private:
    using clock = std::chrono::steady_clock;
    struct one {
        std::string id;
        int deliveries;
    };

    void add(std::vector<std::string> ids, int deliveries);
    void keep_alive(redis_group& from);
    std::vector<std::string> next(int limit) const;
    void drop(std::size_t count);

    const std::chrono::milliseconds redeliver_after_;
    std::string claim_from_ = "0-0";
    clock::time_point next_claim_ = {};
    std::deque<one> waiting_;
    clock::time_point kept_alive_ = {};  ///< all that wait
    std::size_t singly_ = 0;             ///< the first ones that are read one by one
    redis_read_size size_{1};
    std::set<std::string> too_large_;
    std::size_t skipped_ = 0;
    std::deque<std::string> last_skipped_;
};

}  // namespace postrider::relaying
