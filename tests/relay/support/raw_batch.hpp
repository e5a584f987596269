#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/raw_connection.hpp"

namespace postrider::test {

/// A batch that librdkafka does not produce, so the request is written here.
class raw_batch {
  public:
    struct record {
        int offset;           ///< in the batch
        int key_length = -1;  ///< -1: no key
        std::string key = {};
    };

    raw_batch(const std::string& topic, const std::vector<record>& records, int attributes = 0)
        : raw_batch(topic, std::ssize(records), stored(records), attributes) {}

    /// With these bytes in the place of its records.
    raw_batch(const std::string& topic, std::int64_t count, const std::string& records,
              int attributes)
        : topic_(topic) {
        const auto stored = batch(count, records, attributes);
        const auto body = number<16>(-1)      // no transaction
                          + number<16>(1)     // acknowledged by the leader
                          + number<32>(5000)  // milliseconds
                          + number<32>(1) + text(topic_) + number<32>(1) + number<32>(0) +
                          sized(stored);
        const auto head = number<16>(0)    // Produce
                          + number<16>(7)  // its version
                          + number<32>(1) + text("test");
        request_ = sized(head + body);
    }

    /// Of records that no client gets, as the marks of aborted transactions.
    static raw_batch hidden(const std::string& topic, int count) {
        constexpr int control = 0x30;  // of a transaction
        std::vector<record> records;
        for (int i = 0; i < count; ++i) {
            records.push_back({.offset = i, .key_length = 4, .key = number<32>(0)});
        }
        return {topic, records, control};
    }

    /// In gzip, and ends after the header of that. librdkafka 2.0.2 unpacks it without end.
    static raw_batch endless(const std::string& topic) {
        constexpr int gzip = 1;
        return {topic, 1, std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10), gzip};
    }

    /// To partition 0, by the broker at this address of loopback, `host:port`.
    void send(const std::string& address) const {
        const raw_connection broker(std::stoi(address.substr(address.rfind(':') + 1)));
        EXPECT_TRUE(broker.send(request_));
        const auto answer = broker.read_some();
        EXPECT_NE(answer.find(text(topic_) + number<32>(1) + number<32>(0) + number<16>(0)),
                  answer.npos);
    }

  private:
    template <int Bits>
    static std::string number(std::int64_t value) {
        std::string made;
        for (int shift = Bits - 8; shift >= 0; shift -= 8) {
            made += static_cast<char>(value >> shift);
        }
        return made;
    }
    static std::string text(const std::string& value) {
        return number<16>(static_cast<std::int64_t>(value.size())) + value;
    }
    static std::string sized(const std::string& value) {
        return number<32>(static_cast<std::int64_t>(value.size())) + value;
    }
    static std::string varint(int value) {
        auto left = (static_cast<unsigned>(value) << 1U) ^ (value < 0 ? ~0U : 0U);
        std::string made;
        for (; left > 0x7f; left >>= 7U) {
            made += static_cast<char>(left | 0x80U);
        }
        return made + static_cast<char>(left);
    }
    /// Without a value.
    static std::string stored(const record& one) {
        const auto rest = number<8>(0) + varint(0) + varint(one.offset) + varint(one.key_length) +
                          one.key + varint(-1) + varint(0);
        return varint(static_cast<int>(rest.size())) + rest;
    }
    static std::string stored(const std::vector<record>& all) {
        std::string made;
        for (const auto& one : all) {
            made += stored(one);
        }
        return made;
    }
    static std::string batch(std::int64_t count, const std::string& records, int attributes) {
        const auto rest = number<32>(0)    // epoch of the leader
                          + number<8>(2)   // format
                          + number<32>(0)  // checksum, which nothing checks
                          + number<16>(attributes) + number<32>(count - 1) + number<64>(0) +
                          number<64>(0) + number<64>(1) + number<16>(0) + number<32>(0) +
                          number<32>(count) + records;
        return number<64>(0) + sized(rest);
    }

    std::string topic_;
    std::string request_;
};

}  // namespace postrider::test
