#include "store/reads/record.hpp"

#include <postrider/error.hpp>

namespace postrider::store {
namespace {

[[noreturn]] void throw_truncated() {
    throw error(errc::database_error, "the database returned a truncated composite value");
}

}  // namespace

std::int64_t read_integer(std::string_view bytes) {
    if (bytes.empty() || bytes.size() > sizeof(std::int64_t)) {
        throw error(errc::database_error, "the database returned a value that is not an integer");
    }
    std::uint64_t value = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0 ? ~0ULL : 0ULL;
    for (const char byte : bytes) {
        value = (value << 8U) | static_cast<unsigned char>(byte);
    }
    return static_cast<std::int64_t>(value);
}

record_reader::record_reader(std::string_view bytes) : rest_(bytes), fields_(number()) {}

std::int32_t record_reader::number() {
    constexpr std::size_t width = sizeof(std::int32_t);
    if (rest_.size() < width) {
        throw_truncated();
    }
    const auto value = read_integer(rest_.substr(0, width));
    rest_.remove_prefix(width);
    return static_cast<std::int32_t>(value);
}

// Format of a field: oid of its type, length or -1 for null, bytes.
std::string_view record_reader::next() {
    number();
    const auto length = number();
    if (length < 0) {
        return {};
    }
    const auto size = static_cast<std::size_t>(length);
    if (rest_.size() < size) {
        throw_truncated();
    }
    const auto value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
}

}  // namespace postrider::store
