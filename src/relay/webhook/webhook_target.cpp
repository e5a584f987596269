#include <algorithm>
#include <postrider/error.hpp>

#include "relay/webhook/transfer.hpp"

namespace postrider::relaying {
namespace {

constexpr int requests_at_once = 16;
constexpr int look_up_ms = 50;
constexpr std::size_t url_bytes_max = 8'000;

class webhook_publisher final : public publisher {
  public:
    explicit webhook_publisher(const webhook_settings& how) : settings_(how) {
        if (!multi_) {
            throw std::bad_alloc();
        }
    }

    std::vector<outcome> publish(std::span<const outgoing> all, std::stop_token stop) override {
        std::vector<std::unique_ptr<transfer>> transfers;
        std::vector<outcome> outcomes(all.size(), stopped());
        for (const auto& one : all) {
            transfers.push_back(std::make_unique<transfer>(one, settings_));
            curl_multi_add_handle(multi_.get(), transfers.back()->handle());
        }
        int running = 1;
        while (running > 0 && !stop.stop_requested() &&
               curl_multi_perform(multi_.get(), &running) == CURLM_OK) {
            collect(transfers, outcomes);
            if (running > 0) {
                curl_multi_poll(multi_.get(), nullptr, 0, look_up_ms, nullptr);
            }
        }
        for (const auto& one : transfers) {
            curl_multi_remove_handle(multi_.get(), one->handle());
        }
        return outcomes;
    }

  private:
    void collect(const std::vector<std::unique_ptr<transfer>>& transfers,
                 std::vector<outcome>& outcomes) {
        int left = 0;
        while (const auto* message = curl_multi_info_read(multi_.get(), &left)) {
            const auto of = std::ranges::find(transfers, message->easy_handle,
                                              [](const auto& one) { return one->handle(); });
            if (message->msg == CURLMSG_DONE && of != transfers.end()) {
                outcomes[static_cast<std::size_t>(of - transfers.begin())] =
                    (*of)->outcome_of(message->data.result);
            }
        }
    }

    const webhook_settings& settings_;
    curl_multi multi_{curl_multi_init()};
};

class webhook_receiver final : public target {
  public:
    webhook_receiver(webhook_settings how, destination place)
        : settings_(std::move(how)), place_(std::move(place)) {}

    binding headers() const override { return binding::http; }
    int batch_max() const override { return requests_at_once; }
    const destination& place() const override { return place_; }
    std::optional<std::string> problem_of(const std::string& url) const override {
        return url.size() > url_bytes_max
                   ? std::optional("the URL of the webhook would be longer than " +
                                   std::to_string(url_bytes_max) + " bytes")
                   : std::nullopt;
    }
    std::unique_ptr<publisher> open() const override {
        return std::make_unique<webhook_publisher>(settings_);
    }

  private:
    const webhook_settings settings_;
    const destination place_;
};

// A message must not choose the host that it is sent to.
void refuse_fields_in_host(std::string_view url) {
    const auto host = url.find("//") + 2;
    const auto path = std::min(url.find_first_of("/?", host), url.size());
    if (url.substr(0, path).find('{') != std::string_view::npos) {
        throw usage_error(
            "the host of a webhook cannot come from a message; fields may stand in the path and "
            "in the query of its URL");
    }
}

}  // namespace

std::unique_ptr<target> webhook_target(const relay_url&, const relay_options& options) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) {
        throw std::bad_alloc();
    }
    if (!options.destination.empty()) {
        throw usage_error(
            "a webhook has no destination besides its URL; put fields into the path of the URL");
    }
    refuse_fields_in_host(options.to);
    return std::make_unique<webhook_receiver>(
        webhook_settings{.signer = webhook_signer(options.signing_secrets),
                         .timeout = options.timeout,
                         .allow_private_addresses = options.allow_private_addresses},
        destination(options.to, destination::encoding::url));
}

}  // namespace postrider::relaying
