#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace postrider::relaying {

/// Progress of a consumer group in one partition. Records finish in any order, while Kafka keeps
/// one offset per group and partition: the first record that is not finished. The text that Kafka
/// keeps with it lists the finished records after it, and the end of the records that were handed
/// out. So the next owner of the partition repeats and marks only the others.
class partition_progress {
  public:
    /// Nothing is committed yet: the first record that arrives is the beginning.
    partition_progress() = default;
    /// Of the offset and the text that a former owner committed. Other texts are ignored.
    partition_progress(std::int64_t offset, std::string_view text);

    enum class arrival {
        fresh,
        repeated,  ///< a former owner was lost while it had it
        finished,
    };
    /// Offsets arrive in ascending order.
    arrival arrived(std::int64_t offset);
    /// False when the offset goes back.
    bool continues(std::int64_t offset) const { return offset >= next_; }
    bool is_open(std::int64_t offset) const { return open_.contains(offset); }
    void finish(std::int64_t offset);
    /// Records before this offset that have not arrived count as finished.
    void pass(std::int64_t end) {
        arrived(end - 1);
        finish(end - 1);
    }
    /// After the last one that arrived; -1: none has.
    std::int64_t next() const { return next_; }

    /// To be committed; -1: nothing.
    std::int64_t offset() const { return open_.empty() ? next_ : *open_.begin(); }
    /// At most as long as Kafka accepts by default; records that do not fit are repeated.
    std::string text() const;

  private:
    std::int64_t next_ = -1;        ///< after the last one that arrived
    std::int64_t handed_out_ = -1;  ///< former owners handed out records before this one
    std::set<std::int64_t> open_;
    std::set<std::int64_t> finished_;  ///< not before offset()
};

}  // namespace postrider::relaying
