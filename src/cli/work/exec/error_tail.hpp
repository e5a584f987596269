#pragma once

#include <string>
#include <string_view>

#include "base/encoding/utf8.hpp"

namespace postrider::cli {

/// The last part of a command's stderr: its last_error when it fails.
class error_tail {
  public:
    void add(std::string_view text) {
        kept_ += text;
        if (kept_.size() > 2 * bytes_max) {
            kept_.erase(0, kept_.size() - bytes_max);
            cut_ = true;
        }
    }
    /// As UTF-8, without white space at its end.
    std::string text() const {
        std::string_view text = kept_;
        const bool longer = text.size() > bytes_max;
        if (longer) {
            text.remove_prefix(text.size() - bytes_max);
        }
        if (longer || cut_) {
            text = whole_beginning(text);
        }
        const auto end = text.find_last_not_of(" \t\r\n");
        return repaired_utf8(text.substr(0, end == std::string_view::npos ? 0 : end + 1),
                             bytes_max);
    }

  private:
    // From the beginning of a line, or in a long line of a word.
    static std::string_view whole_beginning(std::string_view text) {
        constexpr std::size_t word_max = 100;
        if (const auto line = text.find('\n'); line < text.size() / 2) {
            return text.substr(line + 1);
        }
        if (const auto space = text.find(' '); space < word_max) {
            return text.substr(space + 1);
        }
        while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) {
            text.remove_prefix(1);  // the rest of a character that was cut
        }
        return text;
    }

    static constexpr std::size_t bytes_max = 2048;
    std::string kept_;
    bool cut_ = false;  ///< kept_ is the end of a longer text
};

}  // namespace postrider::cli
