#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>

namespace postrider::test {

/// The messages that the handlers of all workers got: per key the last version, and the keys that
/// run.
class order_ledger {
  public:
    void begin(const std::string& key) {
        const std::lock_guard lock(mutex_);
        overlaps_ += running_[key]++ > 0 ? 1 : 0;
    }
    void end(const std::string& key, int version, bool delivered) {
        const std::lock_guard lock(mutex_);
        --running_[key];
        if (delivered) {
            inversions_ += version == ++versions_[key] ? 0 : 1;
            ++handled_;
        }
    }
    /// The version is never handled: the next one is expected.
    void pass_over(const std::string& key) {
        const std::lock_guard lock(mutex_);
        ++versions_[key];
    }
    int overlaps() const { return overlaps_; }
    int inversions() const { return inversions_; }
    int handled() const { return handled_; }

  private:
    std::mutex mutex_;
    std::map<std::string, int> running_;
    std::map<std::string, int> versions_;
    std::atomic<int> overlaps_ = 0;
    std::atomic<int> inversions_ = 0;
    std::atomic<int> handled_ = 0;
};

}  // namespace postrider::test
