#include "base/encoding/uuid.hpp"

#include <pthread.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <postrider/error.hpp>
#include <system_error>

#include "base/encoding/hex.hpp"

namespace postrider {
namespace {

constexpr auto digits = hex_digits;
constexpr std::string_view pattern = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

// Randomness of the kernel, fetched for many ids at once.
struct random_pool {
    std::array<std::uint8_t, 1024> bytes{};
    std::size_t used = sizeof bytes;
};
thread_local random_pool pool;

// A child process must not hand out the ids that its parent will.
void forget_after_fork() {
    [[maybe_unused]] static const int registered =
        ::pthread_atfork(nullptr, nullptr, [] { pool.used = pool.bytes.size(); });
}

void refill() {
    forget_after_fork();
    std::size_t filled = 0;
    while (filled < pool.bytes.size()) {
        const auto got = ::getrandom(pool.bytes.data() + filled, pool.bytes.size() - filled, 0);
        if (got < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "getrandom");
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    pool.used = 0;
}

uuid make(unsigned version) {
    uuid made;
    if (pool.used + made.bytes.size() > pool.bytes.size()) {
        refill();
    }
    std::memcpy(made.bytes.data(), pool.bytes.data() + pool.used, made.bytes.size());
    pool.used += made.bytes.size();
    made.bytes[6] = static_cast<std::uint8_t>((made.bytes[6] & 0x0fU) | (version << 4U));
    made.bytes[8] = static_cast<std::uint8_t>((made.bytes[8] & 0x3fU) | 0x80U);
    return made;
}

}  // namespace

uuid uuid::random() { return make(4); }

uuid uuid::time_ordered() {
    auto made = make(7);
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    auto milliseconds = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count());
    for (int i = 5; i >= 0; --i) {
        made.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(milliseconds & 0xffU);
        milliseconds >>= 8U;
    }
    return made;
}

uuid uuid::parse(std::string_view text) {
    uuid parsed;
    std::size_t nibble = 0;
    bool usable = text.size() == pattern.size();
    for (std::size_t i = 0; usable && i < text.size(); ++i) {
        if (pattern[i] == '-') {
            usable = text[i] == '-';
            continue;
        }
        const auto lower =
            text[i] >= 'A' && text[i] <= 'F' ? static_cast<char>(text[i] + 32) : text[i];
        const auto value = digits.find(lower);
        usable = value != std::string_view::npos;
        auto& byte = parsed.bytes[nibble / 2];
        byte = static_cast<std::uint8_t>((byte * std::size_t{16}) + (value & 0x0fU));
        ++nibble;
    }
    if (!usable) {
        throw usage_error("'" + std::string(text.substr(0, 64)) + "' is not a UUID; write it as " +
                          std::string(pattern));
    }
    return parsed;
}

uuid uuid::from_bytes(std::string_view binary) {
    uuid taken;
    if (binary.size() != taken.bytes.size()) {
        throw error(errc::database_error, "the database returned " + std::to_string(binary.size()) +
                                              " bytes where a UUID was expected");
    }
    std::memcpy(taken.bytes.data(), binary.data(), taken.bytes.size());
    return taken;
}

std::string uuid::text() const {
    std::string written;
    written.reserve(pattern.size());
    for (const auto byte : bytes) {
        if (pattern[written.size()] == '-') {
            written += '-';
        }
        written += digits[byte >> 4U];
        written += digits[byte & 0x0fU];
    }
    return written;
}

}  // namespace postrider
