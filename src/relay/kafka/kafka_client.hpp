#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "relay/relay_url.hpp"

namespace postrider::relaying {

/// Properties of librdkafka, in the order in which they are set.
using kafka_settings = std::vector<std::pair<std::string, std::string>>;

/// Servers and credentials of an address, then the properties in its query.
kafka_settings kafka_server_of(const relay_url& address);

struct free_kafka_configuration {
    void operator()(rd_kafka_conf_t* one) const noexcept { rd_kafka_conf_destroy(one); }
};
using kafka_configuration = std::unique_ptr<rd_kafka_conf_t, free_kafka_configuration>;

/// Throws usage_error for a property that librdkafka refuses; the error does not contain its value.
kafka_configuration configure_kafka(const kafka_settings& how);
/// Throws usage_error when librdkafka refuses the properties together.
rd_kafka_t* open_kafka(rd_kafka_type_t type, kafka_configuration how);

}  // namespace postrider::relaying
