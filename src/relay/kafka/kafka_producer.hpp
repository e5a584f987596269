#pragma once

#include <librdkafka/rdkafka.h>

#include <memory>

#include "relay/kafka/kafka_client.hpp"
#include "relay/publisher.hpp"

namespace postrider::relaying {

/// A message that was handed to librdkafka; the delivery report fills it.
struct kafka_slot {
    bool reported = false;
    rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
};

/// One producer of librdkafka, for one thread. Slots must outlive the producer or be reported.
class kafka_producer {
  public:
    /// Throws usage_error for properties that librdkafka refuses.
    explicit kafka_producer(const kafka_settings& how);

    void produce(const outgoing& one, kafka_slot& slot);
    /// Serves delivery reports for a while.
    void poll(std::chrono::milliseconds time);
    /// Serves delivery reports until every message has one, at most for that time. Messages are
    /// sent at once: librdkafka does not wait for more of them (`linger.ms`).
    void flush(std::chrono::milliseconds time);
    /// The producer cannot be used any more.
    bool fatal() const;

  private:
    static void on_report(rd_kafka_t*, const rd_kafka_message_t* message, void*);

    struct free_producer {
        void operator()(rd_kafka_t* one) const noexcept;
    };
    std::unique_ptr<rd_kafka_t, free_producer> producer_;
};

}  // namespace postrider::relaying
