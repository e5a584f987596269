#include "sinks/record_text.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "base/encoding/utf8.hpp"

namespace postrider::sinks {

void add_bounded(json_object& to, std::string_view name, std::string_view value,
                 std::size_t bytes_max) {
    // A byte takes six at the most, when it is a control character.
    if (value.size() <= bytes_max / 3 && usable_utf8(value) == value.size()) {
        to.add(name, value);
        return;
    }
    const auto quoted = json_string(repaired_utf8(value, bytes_max));
    if (quoted.size() <= 2 * bytes_max) {
        to.add_raw(name, quoted);
    } else {
        to.add(name, repaired_utf8(value, bytes_max / 3));
    }
}

void add_name(json_object& to, std::string_view name, std::optional<std::string_view> value) {
    if (value) {
        add_name(to, name, *value);
    } else {
        to.add_raw(name, "null");
    }
}

std::chrono::system_clock::time_point end_of(const handle_record& run) {
    using instant = std::chrono::system_clock::time_point;
    const auto length = std::chrono::duration_cast<instant::duration>(run.duration);
    if (length > length.zero() && run.started_at > instant::max() - length) {
        return instant::max();
    }
    if (length < length.zero() && run.started_at < instant::min() - length) {
        return instant::min();
    }
    return run.started_at + length;
}

std::string instant_text(std::chrono::system_clock::time_point at) {
    // The second that the first instant of the clock lies in begins before it.
    const auto microseconds = std::chrono::floor<std::chrono::microseconds>(at);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(microseconds);
    const auto rest = (microseconds - seconds).count();
    const auto days = std::chrono::floor<std::chrono::days>(seconds);
    const std::chrono::year_month_day date(days);
    const std::chrono::hh_mm_ss clock(seconds - days);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       rest);
}

std::string milliseconds_text(std::chrono::nanoseconds duration) {
    return fmt::format("{:.3f}", std::chrono::duration<double, std::milli>(duration).count());
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace postrider::sinks
