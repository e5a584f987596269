#include "relay/kafka/partition_progress.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::relaying {
namespace {

// "postrider1 <records handed out> <range>,<range>…", counted from the offset.
constexpr std::string_view format_name = "postrider1 ";
// offset.metadata.max.bytes is 4096 by default.
constexpr std::size_t text_bytes_max = 3500;
// A range of a text that is not ours must not fill the memory.
constexpr std::int64_t range_max = 1'000'000;

bool take_number(std::string_view& text, std::int64_t& into) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return read.ec == std::errc{} && into >= 0 && into <= range_max;
}

}  // namespace

partition_progress::partition_progress(std::int64_t offset, std::string_view text)
    : next_(offset), handed_out_(offset) {
    std::int64_t number = 0;
    if (!text.starts_with(format_name)) {
        return;
    }
    text.remove_prefix(format_name.size());
    if (!take_number(text, number)) {
        return;
    }
    handed_out_ = offset + number;
    std::int64_t before = -1;
    while (text.size() > 1) {
        text.remove_prefix(1);  // the blank or comma
        std::int64_t begin = 0;
        // In ascending order, so that a text cannot name the same million again and again.
        if (!take_number(text, begin) || begin <= before) {
            return;
        }
        std::int64_t end = begin;
        if (text.starts_with('-')) {
            text.remove_prefix(1);
            if (!take_number(text, end)) {
                return;
            }
        }
        for (; begin <= end; ++begin) {
            finished_.insert(offset + begin);
        }
        before = end;
    }
}

partition_progress::arrival partition_progress::arrived(std::int64_t offset) {
    next_ = offset + 1;
    if (finished_.contains(offset)) {
        finished_.erase(finished_.begin(), finished_.lower_bound(this->offset()));
        return arrival::finished;
    }
    open_.insert(offset);
    return offset < handed_out_ ? arrival::repeated : arrival::fresh;
}

void partition_progress::finish(std::int64_t offset) {
    if (open_.erase(offset) > 0) {
        finished_.insert(offset);
        finished_.erase(finished_.begin(), finished_.lower_bound(this->offset()));
    }
}

std::string partition_progress::text() const {
    const auto from = offset();
    std::string made(format_name);
    made += std::to_string(std::max(handed_out_, next_) - from);
    char separator = ' ';
    for (auto at = finished_.begin(); at != finished_.end();) {
        const auto begin = *at;
        auto end = begin;
        while (++at != finished_.end() && *at == end + 1) {
            ++end;
        }
        auto range = separator + std::to_string(begin - from);
        if (end > begin) {
            range += "-" + std::to_string(end - from);
        }
        if (made.size() + range.size() > text_bytes_max) {
            break;
        }
        made += range;
        separator = ',';
    }
    return made;
}

}  // namespace postrider::relaying
