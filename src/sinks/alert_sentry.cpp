#include <postrider/sinks.hpp>
#include <postrider/version.hpp>
#include <utility>

#include "base/encoding/hex.hpp"
#include "base/encoding/utf8.hpp"
#include "sinks/alert_json.hpp"
#include "sinks/http_post.hpp"
#include "sinks/place_fingerprint.hpp"
#include "sinks/record_text.hpp"
#include "sinks/sentry_dsn.hpp"

namespace postrider {
namespace {

constexpr std::size_t tag_bytes_max = 200;  // Sentry's limit for a tag
constexpr std::size_t value_bytes_max = 4096;
constexpr std::string_view released = "key_released";

// The same for every try, so that Sentry shows an alert once however often it is sent.
std::string event_id(const alert& record) {
    const auto all = std::to_string(record.id) + "/" + record.event_id.value_or("") + "/" +
                     record.handler_name + "/" + std::to_string(record.cycle.value_or(0)) + "/" +
                     sinks::instant_text(record.at);
    return hex(fnv1a(all)) + hex(fnv1a(all, 0x9ae16a3b2f90404f));
}

void add_tag(json_object& to, std::string_view name, const std::optional<std::string>& value) {
    if (value && !value->empty()) {
        to.add(name, repaired_utf8(*value, tag_bytes_max));
    }
}

std::string tags_of(const alert& record) {
    json_object tags;
    add_tag(tags, "kind", record.kind);
    add_tag(tags, "consumer", record.consumer);
    add_tag(tags, "channel", record.channel);
    add_tag(tags, "handler_name", record.handler_name);
    add_tag(tags, "event_type", record.event_type);
    add_tag(tags, "source", record.source);
    add_tag(tags, "target", record.target);
    add_tag(tags, "error_class", record.error_class);
    return tags.text();
}

// Alerts of one handler and fingerprint are one issue in Sentry, and so is the end of a backlog.
std::string fingerprint_of(const alert& record) {
    return json_array()
        .add("postrider")
        .add(record.kind == released ? "key_backlog" : record.kind)
        .add(record.handler_name)
        .add(record.fingerprint.value_or(""))
        .text();
}

std::string exception_of(const alert& record) {
    const auto type = record.error_class.value_or(record.kind);
    const auto value =
        record.last_error.value_or("the circuit of " + record.handler_name + " opened");
    return json_object()
        .add_raw("values", json_array()
                               .add_raw(json_object()
                                            .add("type", repaired_utf8(type, tag_bytes_max))
                                            .add("value", repaired_utf8(value, value_bytes_max))
                                            .text())
                               .text())
        .text();
}

class sentry final : public alert_target {
  public:
    explicit sentry(sentry_options options)
        : sentry(options, sinks::sentry_dsn::parse(options.dsn)) {}

    std::string name() const override { return options_.name; }
    std::string configuration() const override { return configuration_; }
    std::chrono::milliseconds timeout() const override { return options_.timeout; }

    alert_answer send(const alert& record, std::stop_token stop) override {
        return sinks::as_alert_answer(
            server_.send(envelope(record), [&] { return stop.stop_requested(); }));
    }

  private:
    sentry(sentry_options options, const sinks::sentry_dsn& dsn)
        : options_(std::move(options)),
          configuration_(sinks::place_fingerprint(dsn.envelope_url)),
          server_({.name = "Sentry",
                   .url = dsn.envelope_url,
                   .extra = {{"X-Sentry-Auth", "Sentry sentry_version=7, sentry_client=postrider/" +
                                                   std::string(version()) +
                                                   ", sentry_key=" + dsn.public_key}},
                   .timeout = options_.timeout,
                   .content_type = "application/x-sentry-envelope"}) {
        options_.dsn.clear();
        if (options_.name.empty()) {
            options_.name = "sentry-" + sinks::place_label(dsn.envelope_url);
        }
    }

    std::string event(const alert& record) const {
        json_object body;
        body.add("event_id", event_id(record))
            .add("timestamp", sinks::instant_text(record.at))
            .add("platform", "native")
            .add("level", record.kind == released ? "info" : "error")
            .add("logger", "postrider")
            .add("server_name", sinks::host_name())
            .add("transaction", record.handler_name);
        if (!options_.environment.empty()) {
            body.add("environment", options_.environment);
        }
        if (!options_.release.empty()) {
            body.add("release", options_.release);
        }
        json_object extra;
        sinks::add_alert(extra, record);
        return body.add_raw("exception", exception_of(record))
            .add_raw("fingerprint", fingerprint_of(record))
            .add_raw("tags", tags_of(record))
            .add_raw("extra", extra.text())
            .text();
    }

    // A line about the envelope, then for its one item a line and the item itself.
    std::string envelope(const alert& record) const {
        const auto item = event(record);
        const auto head = json_object()
                              .add("event_id", event_id(record))
                              .add("sent_at", sinks::instant_text(std::chrono::system_clock::now()))
                              .text();
        const auto item_head = json_object()
                                   .add("type", "event")
                                   .add("content_type", "application/json")
                                   .add("length", item.size())
                                   .text();
        return head + "\n" + item_head + "\n" + item + "\n";
    }

    sentry_options options_;
    const std::string configuration_;
    sinks::http_post server_;
};

}  // namespace

std::shared_ptr<alert_target> sentry_target(sentry_options options) {
    return std::make_shared<sentry>(std::move(options));
}

}  // namespace postrider
