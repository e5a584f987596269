#pragma once

#include <librdkafka/rdkafka.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace postrider::relaying {

struct free_kafka_message {
    void operator()(rd_kafka_message_t* one) const noexcept { rd_kafka_message_destroy(one); }
};
using kafka_message = std::unique_ptr<rd_kafka_message_t, free_kafka_message>;

/// The memory that a record uses: value, key and headers.
std::size_t bytes_of(const rd_kafka_message_t& record);
std::optional<std::string> header_value_in(const rd_kafka_message_t& from, const std::string& name);

}  // namespace postrider::relaying
