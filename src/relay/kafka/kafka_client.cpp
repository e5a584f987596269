#include "relay/kafka/kafka_client.hpp"

#include <array>
#include <postrider/error.hpp>

namespace postrider::relaying {
namespace {

// Its log lines would go to stderr beside ours; failures are reported by the calls.
void drop_log(const rd_kafka_t*, int, const char*, const char*) {}

}  // namespace

kafka_settings kafka_server_of(const relay_url& address) {
    kafka_settings made{{"bootstrap.servers", address.authority}, {"client.id", "postrider"}};
    if (address.has_user) {
        made.insert(made.end(), {{"security.protocol", "SASL_SSL"},
                                 {"sasl.mechanism", "PLAIN"},
                                 {"sasl.username", address.user},
                                 {"sasl.password", address.password}});
    }
    made.insert(made.end(), address.query.begin(), address.query.end());
    return made;
}

kafka_configuration configure_kafka(const kafka_settings& how) {
    std::array<char, 512> problem{};
    kafka_configuration made(rd_kafka_conf_new());
    for (const auto& [name, value] : how) {
        if (rd_kafka_conf_set(made.get(), name.c_str(), value.c_str(), problem.data(),
                              problem.size()) != RD_KAFKA_CONF_OK) {
            throw usage_error("Kafka refuses the property " + name + " or its value");
        }
    }
    rd_kafka_conf_set_log_cb(made.get(), drop_log);
    return made;
}

rd_kafka_t* open_kafka(rd_kafka_type_t type, kafka_configuration how) {
    std::array<char, 512> problem{};
    auto* made = rd_kafka_new(type, how.get(), problem.data(), problem.size());
    if (made == nullptr) {
        throw usage_error("Kafka refuses the properties of the address together");
    }
    how.release();  // librdkafka owns it
    return made;
}

}  // namespace postrider::relaying
