#include <fmt/core.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <postrider/error.hpp>
#include <postrider/sinks.hpp>
#include <utility>

#include "base/line_writer.hpp"
#include "client/sink/level_text.hpp"
#include "sinks/record_text.hpp"

namespace postrider {
namespace {

using sinks::add_error;
using sinks::add_name;

constexpr spdlog::level::level_enum as_spdlog(level of) noexcept {
    switch (of) {
        case level::debug:
            return spdlog::level::debug;
        case level::info:
            return spdlog::level::info;
        case level::warning:
            return spdlog::level::warn;
        case level::error:
            break;
    }
    return spdlog::level::err;
}

// The members that every line begins with.
class line_start {
  public:
    explicit line_start(std::string_view service) {
        add_name(who_, "service", service);
        add_name(who_, "host", std::string_view(sinks::host_name()));
    }
    json_object operator()(std::chrono::system_clock::time_point at, level how,
                           std::string_view message, const trace_ids* trace) const {
        json_object line;
        line.add("time", sinks::instant_text(at)).add("level", to_string(how));
        add_error(line, "message", message);
        line.add_members(who_);
        using optional_text = std::optional<std::string_view>;
        add_name(line, "trace_id",
                 trace != nullptr ? optional_text(trace->trace_id) : std::nullopt);
        add_name(line, "span_id", trace != nullptr ? optional_text(trace->span_id) : std::nullopt);
        return line;
    }

  private:
    json_object who_;
};

// stdout and stderr: a line that cannot be written at once is dropped and counted; the number is
// written later.
class stream_output final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    stream_output(int to, const line_start& start) : writer_(to), start_(start) {}

  private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (dropped_ > 0 && writer_.write(dropped_line())) {
            dropped_ = 0;
        }
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        if (dropped_ > 0 || !writer_.write({line.data(), line.size()})) {
            ++dropped_;
        }
    }
    void flush_() override {}

    std::string dropped_line() const {
        auto line = start_(std::chrono::system_clock::now(), level::warning,
                           "lines were dropped because the reader is too slow", nullptr);
        return line.add("state", "lines_dropped").add("dropped", dropped_).text() + "\n";
    }

    line_writer writer_;
    line_start start_;
    std::uint64_t dropped_ = 0;
};

std::shared_ptr<spdlog::sinks::sink> open_output(const json_lines_options& options,
                                                 const line_start& start) {
    if (options.to == "stdout") {
        return std::make_shared<stream_output>(STDOUT_FILENO, start);
    }
    if (options.to == "stderr") {
        return std::make_shared<stream_output>(STDERR_FILENO, start);
    }
    try {
        if (options.rotate_bytes > 0) {
            return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                options.to, options.rotate_bytes, options.rotate_files);
        }
        return std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.to);
    } catch (const std::exception& problem) {
        throw error(errc::config_invalid,
                    std::string("the log cannot be opened: ") + problem.what());
    }
}

class json_lines final : public sink {
  public:
    explicit json_lines(json_lines_options options)
        : options_(std::move(options)),
          start_(options_.service),
          log_("postrider", open_output(options_, start_)) {
        log_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
            "%v", spdlog::pattern_time_type::utc, "\n"));
        log_.set_level(as_spdlog(options_.least));
        // Not buffered: after a crash the last lines are needed most.
        log_.flush_on(spdlog::level::trace);
    }

    void published(const publish_record& record) override {
        write(options_.published, [&] {
            auto line = start_(record.at, options_.published, "published", record.trace);
            add_envelope(line, record);
            add_name(line, "channel", record.channel);
            return line;
        });
    }

    void handled(const handle_record& record) override {
        const auto how = level_of(record.outcome);
        write(how, [&] {
            auto line = start_(sinks::end_of(record), how, "handled", record.trace);
            add_envelope(line, record);
            add_name(line, "consumer", record.consumer);
            add_name(line, "handler_name", record.handler);
            line.add("attempts", record.attempts);
            line.add_raw("duration_ms", sinks::milliseconds_text(record.duration));
            add_name(line, "status_result", record.outcome);
            if (!record.error.empty() || !record.error_class.empty()) {
                add_name(line, "error_class", record.error_class);
                add_error(line, "error", record.error);
            }
            return line;
        });
    }

    void alerted(const alert& record) override {
        const auto severity = record.kind == "key_released" ? level::info : level::error;
        write(severity, [&] {
            auto line = start_(record.at, severity, "alert", nullptr);
            add_name(line, "kind", std::string_view(record.kind));
            add_name(line, "event_id", as_view(record.event_id));
            add_name(line, "event_type", as_view(record.event_type));
            add_name(line, "source", as_view(record.source));
            add_name(line, "target", as_view(record.target));
            add_name(line, "handler_name", std::string_view(record.handler_name));
            add_error(line, "last_error", record.last_error.value_or(""));
            line.add_raw("attempts", record.attempts ? std::to_string(*record.attempts) : "null");
            add_name(line, "consumer", std::string_view(record.consumer));
            add_name(line, "channel", std::string_view(record.channel));
            add_name(line, "error_class", as_view(record.error_class));
            add_name(line, "fingerprint", as_view(record.fingerprint));
            line.add("alert_id", record.id);
            return line;
        });
    }

    void state_changed(const state_record& record) override {
        write(record.level, [&] {
            auto line = start_(record.at, record.level, record.message, nullptr);
            add_name(line, "consumer", record.consumer);
            add_name(line, "state", record.state);
            return line;
        });
    }

  private:
    static std::optional<std::string_view> as_view(const std::optional<std::string>& text) {
        return text ? std::optional<std::string_view>(*text) : std::nullopt;
    }
    template <typename Record>
    static void add_envelope(json_object& line, const Record& record) {
        add_name(line, "event_id", record.message_id);
        add_name(line, "event_type", record.event_type);
        add_name(line, "source", record.source);
        add_name(line, "target", record.target);
        add_name(line, "workspace_id", record.workspace_id);
    }

    level level_of(std::string_view outcome) const noexcept {
        if (outcome == "delivered" || outcome == "duplicate") {
            return options_.delivered;
        }
        if (outcome == "terminal") {
            return level::error;
        }
        return outcome == "transient" ? level::warning : level::info;
    }

    template <typename Make>
    void write(level how, Make&& make) noexcept {
        try {
            if (log_.should_log(as_spdlog(how))) {
                log_.log(as_spdlog(how), spdlog::string_view_t(make().text()));
            }
        } catch (const std::exception&) {
            // Out of memory: the caller's work is more important than its log.
        }
    }

    const json_lines_options options_;
    const line_start start_;
    spdlog::logger log_;
};

}  // namespace

std::shared_ptr<sink> json_lines_sink(json_lines_options options) {
    return std::make_shared<json_lines>(std::move(options));
}

}  // namespace postrider
