#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "store/work/hand_over.hpp"
#include "worker/sources/receiver.hpp"

namespace postrider::working {

/// Messages from a broker that were not delivered and are not in PostgreSQL yet. Until they are,
/// the broker gets no acknowledgement.
class unstored {
  public:
    /// Each failure names its handler.
    void add(received_message message, std::vector<store::failure> failures);

    bool empty() const { return waiting_.empty(); }
    int size() const { return static_cast<int>(waiting_.size()); }
    std::size_t bytes() const { return bytes_; }
    void append_receipts(receiver::receipts& to) const;

    struct result {
        receiver::receipts stored;
        std::vector<std::string> refused;  ///< reasons; the broker keeps these messages
        store::intake after;
    };
    /// Stores the oldest ones, as many as one call should have. Throws when the database cannot.
    result store(pg::connection& session, const uuid& worker,
                 std::span<const std::string> succeeded);

  private:
    struct item {
        received_message message;
        std::vector<store::failure> failures;
    };
    static store::intake store(pg::connection& session, const uuid& worker,
                               std::span<const item* const> items,
                               std::span<const std::string> succeeded);

    std::deque<item> waiting_;
    std::size_t bytes_ = 0;
};

}  // namespace postrider::working
