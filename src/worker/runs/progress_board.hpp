#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "store/work/progress.hpp"

namespace postrider::working {

/// Progress and results that running handlers recorded and the database does not have yet. Only the
/// newest values of each job count. Handler threads add, the coordinator takes.
class progress_board {
  public:
    /// Called when the first report is added to an empty board.
    std::function<void()> wake = [] {};

    void add(store::progress_report report);
    bool empty() const;
    std::vector<store::progress_report> take();
    /// Reports that could not be sent; newer ones take precedence.
    void put_back(std::vector<store::progress_report> reports);

  private:
    /// The delivery or, as a negative number, the message; and the handler.
    using job = std::pair<std::int64_t, std::string>;
    static job job_of(const store::progress_report& report);

    mutable std::mutex mutex_;
    std::map<job, store::progress_report> reports_;
};

}  // namespace postrider::working
