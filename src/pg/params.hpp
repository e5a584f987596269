#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::pg {

/// Parameters of one statement, in order. Keeps its own copies, so temporaries may be passed. An
/// object that is reused with clear() in a loop does not allocate again.
class params {
  public:
    params() = default;

    template <typename... Values>
    requires(sizeof...(Values) > 0 && !(std::same_as<std::remove_cvref_t<Values>, params> ||
                                        ...)) explicit params(const Values&... values) {
        (add(values), ...);
    }

    params& add(std::string_view text) { return append(text, false); }
    params& add(const char* text) { return append(text, false); }
    params& add(const std::string& text) { return append(text, false); }
    params& add(std::nullopt_t) { return add_null(); }
    params& add(bool value) { return append(value ? "t" : "f", false); }

    template <typename Number>
    requires(std::integral<Number> || std::floating_point<Number>) params& add(Number value) {
        char digits[64];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        return append({digits, static_cast<std::size_t>(end - digits)}, false);
    }

    template <typename Value>
    params& add(const std::optional<Value>& value) {
        return value ? add(*value) : add_null();
    }

    /// In the wire format of the parameter's type, sent as it is.
    params& add_binary(std::string_view bytes) { return append(bytes, true); }
    params& add_null();
    void clear();

    std::size_t size() const { return entries_.size(); }

    /// The arrays for libpq; valid until this object changes.
    struct arrays {
        const char* const* values;
        const int* lengths;
        const int* formats;
        int count;
    };
    arrays view() const;

  private:
    struct entry {
        std::size_t offset;
        int length;
        bool binary;
        bool null;
    };
    params& append(std::string_view bytes, bool binary);

    std::string storage_;
    std::vector<entry> entries_;
    mutable std::vector<const char*> values_;
    mutable std::vector<int> lengths_;
    mutable std::vector<int> formats_;
};

}  // namespace postrider::pg
