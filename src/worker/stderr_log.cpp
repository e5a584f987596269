#include "worker/stderr_log.hpp"

#include <unistd.h>

#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/encoding/utf8.hpp"
#include "base/line_writer.hpp"

namespace postrider::working {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto repeat_every = std::chrono::seconds(10);
// Handlers choose error classes, so their number is unbounded.
constexpr std::size_t kinds_max = 1000;
constexpr std::size_t text_bytes_max = 2000;

std::string time_text(std::chrono::system_clock::time_point at) {
    const auto seconds = std::chrono::system_clock::to_time_t(at);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// An error text must not break the line.
std::string in_one_line(std::string_view text) {
    auto line = repaired_utf8(text, text_bytes_max);
    while (!line.empty() && line.back() == '\n') {
        line.pop_back();
    }
    for (auto& c : line) {
        c = static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
    }
    return line;
}

class log final : public sink {
  public:
    void state_changed(const state_record& record) override {
        if (record.level == level::warning || record.level == level::error) {
            write(record.at, record.level, record.consumer,
                  std::string(record.state) + ": " + in_one_line(record.message));
        }
    }

    void handled(const handle_record& record) override {
        const bool final = record.outcome == "terminal";
        if (!final && record.outcome != "transient") {
            return;
        }
        const int more = count(record);
        if (more < 0) {
            return;
        }
        auto text = std::string(record.handler) + " failed" + (final ? " for good" : "") +
                    ", attempt " + std::to_string(record.attempts) + " of message " +
                    std::string(record.message_id) + " (" + in_one_line(record.event_type) +
                    "): " + in_one_line(record.error);
        if (!record.error_class.empty()) {
            text += " [" + in_one_line(record.error_class) + "]";
        }
        if (more > 0) {
            text += "; " + std::to_string(more) + " similar failures since the last line";
        }
        write(std::chrono::system_clock::now(), final ? level::error : level::warning,
              record.consumer, "handler_failed: " + text);
    }

  private:
    struct kind {
        clock::time_point said = {};
        int unsaid = 0;
    };

    /// Number of failures of this kind without a line since the last one; -1: no line for this one.
    int count(const handle_record& record) {
        const std::lock_guard lock(mutex_);
        if (kinds_.size() >= kinds_max) {
            kinds_.clear();
        }
        const auto now = clock::now();
        const auto [found, fresh] =
            kinds_.try_emplace({std::string(record.handler), std::string(record.error_class)});
        auto& known = found->second;
        if (!fresh && now < known.said + repeat_every) {
            ++known.unsaid;
            return -1;
        }
        known.said = now;
        return std::exchange(known.unsaid, 0);
    }

    void write(std::chrono::system_clock::time_point at, level how, std::string_view consumer,
               std::string_view text) {
        auto line = time_text(at) + " postrider " + (how == level::error ? "error " : "warning ") +
                    in_one_line(consumer) + " " + std::string(text) + "\n";
        const std::lock_guard lock(mutex_);
        writer_.write(line);
    }

    std::mutex mutex_;
    line_writer writer_{STDERR_FILENO};
    std::map<std::pair<std::string, std::string>, kind> kinds_;
};

}  // namespace

std::shared_ptr<sink> stderr_log() { return std::make_shared<log>(); }

}  // namespace postrider::working
