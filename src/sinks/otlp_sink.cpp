#include <postrider/sinks.hpp>
#include <utility>

#include "sinks/span_sender.hpp"

namespace postrider {
namespace {

class otlp_spans final : public trace_sink {
  public:
    explicit otlp_spans(otlp_options options) : sender_(std::move(options)) {}

    void published(const publish_record& record) override { send(record); }
    void handled(const handle_record& record) override { send(record); }
    span_counts counts() const override { return sender_.counts(); }
    bool flush(std::chrono::milliseconds timeout) override { return sender_.flush(timeout); }

  private:
    template <typename Record>
    void send(const Record& record) noexcept {
        try {
            if (record.trace != nullptr && record.trace->sampled) {
                sender_.push(record);
            }
        } catch (const std::exception&) {
            // Out of memory: the caller's work is more important than its trace.
        }
    }

    sinks::span_sender sender_;
};

}  // namespace

trace_sink::~trace_sink() = default;

std::shared_ptr<trace_sink> otlp_sink(otlp_options options) {
    return std::make_shared<otlp_spans>(std::move(options));
}

}  // namespace postrider
