#pragma once

#include <cstdint>
#include <string_view>

namespace postrider::store {

/// Reads the binary form of a composite value field by field, in place.
class record_reader {
  public:
    explicit record_reader(std::string_view bytes);

    int fields() const { return fields_; }
    /// The next field in the binary form of its type; data() is null for SQL null.
    std::string_view next();
    /// The bytes after the fields read so far.
    std::string_view rest() const { return rest_; }

  private:
    std::int32_t number();

    std::string_view rest_;
    int fields_ = 0;
};

/// An integer of any width in network byte order.
std::int64_t read_integer(std::string_view bytes);

}  // namespace postrider::store
