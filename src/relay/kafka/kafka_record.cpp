#include "relay/kafka/kafka_record.hpp"

#include <cstring>

namespace postrider::relaying {

// librdkafka does not say how many bytes the headers have.
constexpr std::size_t header_bytes = 80;  // that it uses for each, beside name and value

std::size_t bytes_of(const rd_kafka_message_t& record) {
    auto size = record.len + record.key_len;
    rd_kafka_headers_t* headers = nullptr;
    if (record.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        rd_kafka_message_headers(&record, &headers);
    }
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t length = 0;
    for (std::size_t i = 0;
         headers != nullptr &&
         rd_kafka_header_get_all(headers, i, &name, &value, &length) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
        size += header_bytes + std::strlen(name) + length;
    }
    return size;
}

std::optional<std::string> header_value_in(const rd_kafka_message_t& from,
                                           const std::string& name) {
    rd_kafka_headers_t* all = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    if (rd_kafka_message_headers(&from, &all) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        rd_kafka_header_get_last(all, name.c_str(), &value, &size) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        value == nullptr) {
        return std::nullopt;
    }
    return std::string(static_cast<const char*>(value), size);
}

}  // namespace postrider::relaying
