#include <postrider/sinks.hpp>
#include <utility>

#include "sinks/alert_json.hpp"
#include "sinks/http_post.hpp"
#include "sinks/place_fingerprint.hpp"

namespace postrider {
namespace {

sinks::http_post::headers headers_of(const webhook_options& options) {
    auto all = options.headers;
    if (!options.bearer_token.empty()) {
        all.emplace_back("Authorization", "Bearer " + options.bearer_token);
    }
    return all;
}

class webhook final : public alert_target {
  public:
    explicit webhook(webhook_options options)
        : configuration_(sinks::place_fingerprint(options.url)),
          name_(options.name.empty() ? "webhook-" + sinks::place_label(options.url)
                                     : std::move(options.name)),
          timeout_(options.timeout),
          server_({.name = "the webhook",
                   .url = options.url,
                   .extra = headers_of(options),
                   .timeout = options.timeout}) {}

    std::string name() const override { return name_; }
    std::string configuration() const override { return configuration_; }
    std::chrono::milliseconds timeout() const override { return timeout_; }

    alert_answer send(const alert& record, std::stop_token stop) override {
        json_object body;
        sinks::add_alert(body, record);
        body.add("tries", record.tries);
        // The same for every attempt, so the receiver can recognise duplicates.
        return sinks::as_alert_answer(server_.send(
            body.text(), "Idempotency-Key: postrider-alert-" + std::to_string(record.id),
            [&] { return stop.stop_requested(); }));
    }

  private:
    const std::string configuration_;
    const std::string name_;
    const std::chrono::milliseconds timeout_;
    sinks::http_post server_;
};

}  // namespace

std::shared_ptr<alert_target> webhook_target(webhook_options options) {
    return std::make_shared<webhook>(std::move(options));
}

}  // namespace postrider
