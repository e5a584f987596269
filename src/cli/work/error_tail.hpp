#pragma once

#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace postrider::cli {

/// The last part of a command's stderr: its last_error when it fails.
class error_tail {
  public:
    void add(std::string_view text) {
        kept_ += text;
        if (kept_.size() > 2 * bytes_max) {
            kept_.erase(0, kept_.size() - bytes_max);
        }
    }
    /// As UTF-8, without white space at its end.
    std::string text() const {
        std::string_view text = kept_;
        if (text.size() > bytes_max) {
            text.remove_prefix(text.size() - bytes_max);
            while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) {
                text.remove_prefix(1);  // the rest of a character that was cut
            }
        }
        const auto end = text.find_last_not_of(" \t\r\n");
        return repaired_utf8(text.substr(0, end == std::string_view::npos ? 0 : end + 1),
                             bytes_max);
    }

  private:
    static constexpr std::size_t bytes_max = 2048;
    std::string kept_;
};

}  // namespace postrider::cli
