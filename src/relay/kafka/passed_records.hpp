#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace postrider::relaying {

/// Records that a worker does not take. Kafka cannot leave a record to the group and go on, so
/// their offsets are passed, and operators have to be told.
class passed_records {
  public:
    void add(std::int32_t partition, std::int64_t first, std::int64_t last, const char* why);
    /// The last ranges of them; empty: none were added since the last call, and not `again`. It
    /// also names earlier ones, because not every notice is logged.
    std::string notice(const std::string& topic, bool again = false);

  private:
    struct range {
        std::int32_t partition;
        std::int64_t first;
        std::int64_t last;
        std::string why;
    };
    std::size_t count_ = 0;  ///< since the start
    bool complete_ = true;   ///< ranges_ has all
    bool added_ = false;     ///< since the last notice
    std::deque<range> ranges_;
};

/// Finds the end of a batch of records that cannot be read: fetching from any offset in it fails
/// like fetching from its first one. The batch is compressed, so its length is not known.
class batch_search {
  public:
    /// `end`: an offset that is not in the batch.
    batch_search(std::int64_t first, std::int64_t end) : first_(first), bad_(first), good_(end) {}

    bool done() const { return good_ <= bad_ + 1; }
    std::int64_t first() const { return first_; }
    /// After the batch, when it is done.
    std::int64_t end() const { return bad_ + 1; }
    /// The offset from which to fetch next.
    std::int64_t probe() const;
    /// Whether fetching from probe() failed.
    void probed(bool failed);

  private:
    std::int64_t first_;
    std::int64_t bad_;   ///< in the batch
    std::int64_t good_;  ///< not in it
    std::int64_t step_ = 1;
};

}  // namespace postrider::relaying
