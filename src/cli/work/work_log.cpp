#include "cli/work/work_log.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>

#include "base/encoding/utf8.hpp"
#include "base/json/json.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"
#include "client/sink/level_text.hpp"
#include "store/messages/encode.hpp"

namespace postrider::cli {
namespace {

// The last line, which usually names the error.
std::string last_line(std::string_view text) {
    const auto end = text.find_last_not_of("\r\n ");
    if (end == std::string_view::npos) {
        return {};
    }
    text = text.substr(0, end + 1);
    const auto begin = text.find_last_of('\n');
    return std::string(begin == std::string_view::npos ? text : text.substr(begin + 1));
}

std::int64_t milliseconds_of(std::chrono::nanoseconds length) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(length).count();
}

}  // namespace

void work_log::handled(const handle_record& record) {
    const bool delivered = record.outcome == "delivered";
    ++(delivered ? delivered_ : other_);
    if (json_) {
        json_object line;
        line.add("kind", "run")
            .add("at", store::timestamp_text(record.started_at))
            .add("message_id", record.message_id)
            .add("event_type", record.event_type)
            .add("handler", record.handler)
            .add("attempts", record.attempts)
            .add("outcome", record.outcome)
            .add("duration_ms", milliseconds_of(record.duration));
        if (!delivered) {
            line.add("error_class", record.error_class)
                .add("error", repaired_utf8(record.error, record.error.size()));
        }
        print_line(line.text());
    } else if (!delivered) {
        log_line(record.outcome, fmt::format("{} {} attempt {} of {}: {} {}", record.event_type,
                                             record.message_id, record.attempts, record.handler,
                                             record.error_class, last_line(record.error)));
    }
}

void work_log::state_changed(const state_record& record) {
    if (json_) {
        print_line(json_object()
                       .add("kind", "state")
                       .add("at", store::timestamp_text(record.at))
                       .add("level", to_string(record.level))
                       .add("state", record.state)
                       .add("message", record.message)
                       .text());
    } else {
        log_line(to_string(record.level), fmt::format("{}: {}", record.state, record.message));
    }
    started_ = started_ || record.state == "started";
    if (once_ && !started_ && record.state == "database_error" && !refused_.exchange(true)) {
        stop_();
    }
}

void work_log::alerted(const alert& record) {
    const auto error = record.last_error.value_or("");
    if (json_) {
        print_line(json_object()
                       .add("kind", "alert")
                       .add("at", store::timestamp_text(record.at))
                       .add("alert", record.kind)
                       .add("alert_id", record.id)
                       .add("event_id", record.event_id)
                       .add("event_type", record.event_type)
                       .add("source", record.source)
                       .add("target", record.target)
                       .add("handler_name", record.handler_name)
                       .add("last_error", repaired_utf8(error, error.size()))
                       .add("attempts", record.attempts)
                       .add("consumer", record.consumer)
                       .text());
    } else if (record.kind == "dead_letter") {
        log_line("alert", fmt::format("dead letter: {} {} of {} after {} attempts: {} {}",
                                      record.event_type.value_or(""), record.event_id.value_or(""),
                                      record.handler_name, record.attempts.value_or(0),
                                      record.error_class.value_or(""), last_line(error)));
    } else {
        log_line("alert", fmt::format("{}: {} of {}: {}", record.kind, record.handler_name,
                                      record.consumer, last_line(error)));
    }
}

void work_log::child_said(int child, std::string_view line) {
    if (json_) {
        print_line(json_object()
                       .add("kind", "child")
                       .add("at", store::timestamp_text(std::chrono::system_clock::now()))
                       .add("child", child)
                       .add("line", repaired_utf8(line, line.size()))
                       .text());
    } else {
        log_line("child", fmt::format("{}: {}", child, line));
    }
}

void work_log::summary() {
    if (json_) {
        print_line(json_object()
                       .add("kind", "summary")
                       .add("runs", delivered_ + other_)
                       .add("delivered", delivered_.load())
                       .text());
    } else {
        log_line("info",
                 fmt::format("runs: {}, delivered: {}", delivered_ + other_, delivered_.load()));
    }
}

void work_log::print_line(const std::string& line) {
    const std::lock_guard lock(mutex_);
    std::fputs(printable_json(line).c_str(), stdout);
    std::fputc('\n', stdout);
    // Flushed, so that a reader of the pipe receives it immediately.
    if (std::fflush(stdout) != 0 && !output_lost_.exchange(true)) {
        stop_();
    }
}

void work_log::log_line(std::string_view word, const std::string& text) {
    const auto now = store::timestamp_text(std::chrono::system_clock::now());
    const std::lock_guard lock(mutex_);
    say("{} {:<8} {}\n", now, word, printable(text));
}

}  // namespace postrider::cli
