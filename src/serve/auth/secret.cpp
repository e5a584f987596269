#include "serve/auth/secret.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <postrider/error.hpp>

#include "base/encoding/hex.hpp"

namespace postrider::serve {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::string_view token_prefix = "prt_";
constexpr std::size_t random_size = 43;  // 256 bits in base64url
constexpr std::size_t checksum_size = 6;

std::string checksum(std::string_view text) { return sha256_hex(text).substr(0, checksum_size); }

}  // namespace

std::string make_token() {
    std::array<unsigned char, 32> bits{};
    if (RAND_bytes(bits.data(), static_cast<int>(bits.size())) != 1) {
        throw error(errc::config_invalid, "no random numbers available for a token");
    }
    const auto made = std::string(token_prefix) +
                      base64url({reinterpret_cast<const char*>(bits.data()), bits.size()});
    return made + checksum(made);
}

bool is_token(std::string_view text) {
    const auto secret_size = token_prefix.size() + random_size;
    return text.size() == secret_size + checksum_size && text.starts_with(token_prefix) &&
           text.substr(secret_size) == checksum(text.substr(0, secret_size));
}

std::string sha256_hex(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    return hex({reinterpret_cast<const char*>(digest.data()), size});
}

bool same_secret(std::string_view one, std::string_view other) {
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string base64url(std::string_view bytes) {
    std::string text;
    unsigned int bits = 0;
    int held = 0;
    for (const char byte : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(byte);
        held += 8;
        while (held >= 6) {
            held -= 6;
            text += alphabet[(bits >> held) & 63];
        }
    }
    if (held > 0) {
        text += alphabet[(bits << (6 - held)) & 63];
    }
    return text;
}

std::string from_base64url(std::string_view text) {
    const auto refuse = [] { throw usage_error("after must be `next` of the previous page"); };
    std::string bytes;
    unsigned int bits = 0;
    int held = 0;
    for (const char letter : text) {
        const auto value = alphabet.find(letter);
        if (value == std::string_view::npos) {
            refuse();
        }
        bits = (bits << 6) | static_cast<unsigned int>(value);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes += static_cast<char>((bits >> held) & 255);
        }
    }
    // The remaining bits must be zero, and fewer than one character.
    if (held == 6 || (bits & ((1U << held) - 1U)) != 0) {
        refuse();
    }
    return bytes;
}

}  // namespace postrider::serve
