#include "relay/kafka/kafka_producer.hpp"

#include <string_view>
#include <vector>

namespace postrider::relaying {
namespace {

struct free_headers {
    void operator()(rd_kafka_headers_t* one) const noexcept { rd_kafka_headers_destroy(one); }
};
struct free_error {
    void operator()(rd_kafka_error_t* one) const noexcept { rd_kafka_error_destroy(one); }
};

rd_kafka_vu_t part(rd_kafka_vtype_t type) {
    rd_kafka_vu_t made{};
    made.vtype = type;
    return made;
}

rd_kafka_vu_t memory(rd_kafka_vtype_t type, std::string_view text) {
    auto made = part(type);
    made.u.mem.ptr = const_cast<char*>(text.data());
    made.u.mem.size = text.size();
    return made;
}

}  // namespace

kafka_producer::kafka_producer(const kafka_settings& how) {
    auto made = configure_kafka(how);
    rd_kafka_conf_set_dr_msg_cb(made.get(), on_report);
    producer_.reset(open_kafka(RD_KAFKA_PRODUCER, std::move(made)));
}

// Messages without a report are dropped, together with their reports.
void kafka_producer::free_producer::operator()(rd_kafka_t* one) const noexcept {
    rd_kafka_purge(
        one, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING);
    rd_kafka_destroy(one);
}

void kafka_producer::on_report(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
    auto& slot = *static_cast<kafka_slot*>(message->_private);
    slot.reported = true;
    slot.error = message->err;
}

void kafka_producer::produce(const outgoing& one, kafka_slot& slot) {
    std::unique_ptr<rd_kafka_headers_t, free_headers> headers(
        rd_kafka_headers_new(one.headers.size()));
    for (const auto& [name, value] : one.headers) {
        rd_kafka_header_add(headers.get(), name.data(), static_cast<ssize_t>(name.size()),
                            value.data(), static_cast<ssize_t>(value.size()));
    }
    std::vector<rd_kafka_vu_t> parts{part(RD_KAFKA_VTYPE_TOPIC), part(RD_KAFKA_VTYPE_MSGFLAGS),
                                     part(RD_KAFKA_VTYPE_OPAQUE), part(RD_KAFKA_VTYPE_HEADERS),
                                     memory(RD_KAFKA_VTYPE_VALUE, one.message->payload())};
    parts[0].u.cstr = one.destination.c_str();
    parts[1].u.i = 0;  // not copied: the payload outlives the report or the producer
    parts[2].u.ptr = &slot;
    parts[3].u.headers = headers.get();
    if (const auto key = one.message->ordering_key() ? one.message->ordering_key()
                                                     : one.message->partition_key()) {
        parts.push_back(memory(RD_KAFKA_VTYPE_KEY, *key));
    }
    const std::unique_ptr<rd_kafka_error_t, free_error> refused(
        rd_kafka_produceva(producer_.get(), parts.data(), parts.size()));
    if (refused) {
        slot.reported = true;
        slot.error = rd_kafka_error_code(refused.get());
    } else {
        headers.release();  // librdkafka owns them
    }
}

void kafka_producer::poll(std::chrono::milliseconds time) {
    rd_kafka_poll(producer_.get(), static_cast<int>(time.count()));
}

void kafka_producer::flush(std::chrono::milliseconds time) {
    rd_kafka_flush(producer_.get(), static_cast<int>(time.count()));
}

bool kafka_producer::fatal() const {
    return rd_kafka_fatal_error(producer_.get(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR;
}

}  // namespace postrider::relaying
