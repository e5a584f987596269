#include "cli/demo/demo_broker.hpp"

#include <postrider/error.hpp>
#ifdef POSTRIDER_WITH_RELAY
#include <postrider/relay.hpp>

#include "relay/make_stream.hpp"
#endif

namespace postrider::cli::demo {

#ifdef POSTRIDER_WITH_RELAY

namespace {

constexpr const char* shop_stream = "SHOP";
constexpr const char* subject_prefix = "shop.";

}  // namespace

broker_side::broker_side(const std::string& broker, const std::filesystem::path& directory,
                         const std::string& database)
    : url_(broker) {
    if (broker == "nats") {
        server_.emplace(embedded::broker_kind::nats, directory);
        server_->start();
        url_ = server_->url();
    }
    relaying::make_stream({.from = url_, .stream = shop_stream}, std::string(subject_prefix) + ">");
    relay_ = std::make_unique<worker>(worker_options{
        .database = database, .consumer = "out", .shutdown_timeout = std::chrono::seconds(2)});
    relay(*relay_, "*", "out.relay",
          {.to = url_, .destination = std::string(subject_prefix) + "{event_type}"});
}

void broker_side::stop() {
    relay_->request_stop();
    relay_->wait();
    if (server_) {
        server_->stop();
    }
}

std::shared_ptr<source> broker_side::source_for(const std::string& consumer,
                                                const std::string& event_type) const {
    return broker_source({.from = url_,
                          .stream = shop_stream,
                          .group = consumer,
                          .subject = subject_prefix + (event_type == "*" ? ">" : event_type)});
}

#else

broker_side::broker_side(const std::string&, const std::filesystem::path&, const std::string&) {
    throw usage_error("this build has no relays, so its demo cannot use a broker");
}

void broker_side::stop() {}

std::shared_ptr<source> broker_side::source_for(const std::string&, const std::string&) const {
    return nullptr;
}

#endif

}  // namespace postrider::cli::demo
