#include "support/faults/reply_scanner.hpp"

#include <cstdint>

namespace postrider::test {
namespace {

constexpr std::size_t header_size = 5;  // type, then the length with its own four bytes
constexpr char command_complete = 'C';

std::size_t body_size(std::string_view header) {
    std::uint32_t length = 0;
    for (const auto byte : header.substr(1)) {
        length = (length << 8U) | static_cast<unsigned char>(byte);
    }
    return length - 4U;
}

}  // namespace

// True when the byte was the last one of a message.
bool reply_scanner::take(char byte) {
    if (header_.size() < header_size) {
        header_ += byte;
        if (header_.size() < header_size) {
            return false;
        }
        body_.clear();
        left_ = body_size(header_);
    } else {
        --left_;
        if (header_[0] == command_complete) {
            body_ += byte;
        }
    }
    return left_ == 0;
}

bool reply_scanner::find(std::string_view part, std::string_view tag) {
    bool found = false;
    for (const auto byte : part) {
        if (take(byte)) {
            found |= !tag.empty() && header_[0] == command_complete && body_.starts_with(tag);
            header_.clear();
        }
    }
    return found;
}

}  // namespace postrider::test
