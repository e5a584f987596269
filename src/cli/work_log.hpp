#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <postrider/sink.hpp>
#include <string>

namespace postrider::cli {

/// What a worker does, for people on stderr (changes of state and runs that did not deliver) or as
/// JSON lines on stdout (every run and every change).
class work_log : public sink {
  public:
    /// `lost` is called once when nobody reads our stdout any more.
    work_log(bool json, std::function<void()> lost) : json_(json), lost_(std::move(lost)) {}

    void handled(const handle_record& record) override;
    void state_changed(const state_record& record) override;
    void alerted(const alert& record) override;
    /// How many runs there were, at the end.
    void summary();

    bool output_lost() const { return output_lost_; }

  private:
    void print_line(const std::string& line);
    void log_line(std::string_view word, const std::string& text);

    bool json_;
    std::function<void()> lost_;
    std::mutex mutex_;
    std::atomic<std::int64_t> delivered_ = 0;
    std::atomic<std::int64_t> other_ = 0;
    std::atomic<bool> output_lost_ = false;
};

}  // namespace postrider::cli
