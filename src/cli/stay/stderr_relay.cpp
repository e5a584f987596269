#include "cli/stay/stderr_relay.hpp"

#include <algorithm>

namespace postrider::cli {

void stderr_relay::add(std::string_view text, clock::time_point now) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto room = line_max - std::min(line_max, line_.size());
        line_ += text.substr(0, std::min(end, room));
        if (end < text.size()) {
            pass_on(now);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void stderr_relay::pass_on(clock::time_point now) {
    if (now - second_ >= std::chrono::seconds(1)) {
        tell_dropped();
        second_ = now;
        passed_ = 0;
    }
    if (passed_ < lines_per_second) {
        ++passed_;
        take_(line_);
    } else {
        ++dropped_;
    }
    line_.clear();
}

void stderr_relay::tell_dropped() {
    if (dropped_ > 0) {
        take_("(" + std::to_string(dropped_) + " more lines within a second were dropped)");
        dropped_ = 0;
    }
}

void stderr_relay::finish() {
    tell_dropped();
    if (!line_.empty()) {
        take_(line_);
        line_.clear();
    }
}

}  // namespace postrider::cli
