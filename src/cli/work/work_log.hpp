#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <postrider/sink.hpp>
#include <string>

namespace postrider::cli {

/// The log of a worker: text on stderr (state changes and failed runs) or JSON lines on stdout
/// (every run and every state change).
class work_log : public sink {
  public:
    /// `stop` is called once when stdout is closed by its reader; with `once` also when the
    /// database rejects the worker at its start, which a retry cannot resolve.
    work_log(bool json, bool once, std::function<void()> stop)
        : json_(json), once_(once), stop_(std::move(stop)) {}

    void handled(const handle_record& record) override;
    void state_changed(const state_record& record) override;
    void alerted(const alert& record) override;
    /// A line of a child's stderr.
    void child_said(int child, std::string_view line);
    /// The number of runs, at the end.
    void summary();

    bool output_lost() const { return output_lost_; }
    bool refused() const { return refused_; }

  private:
    void print_line(const std::string& line);
    void log_line(std::string_view word, const std::string& text);

    bool json_;
    bool once_;
    std::function<void()> stop_;
    std::mutex mutex_;
    std::atomic<std::int64_t> delivered_ = 0;
    std::atomic<std::int64_t> other_ = 0;
    std::atomic<bool> output_lost_ = false;
    std::atomic<bool> started_ = false;
    std::atomic<bool> refused_ = false;
};

}  // namespace postrider::cli
