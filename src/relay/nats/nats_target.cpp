#include <algorithm>
#include <postrider/error.hpp>

#include "relay/nats/nats_session.hpp"

namespace postrider::relaying {
namespace {

constexpr std::size_t subject_bytes_max = 1024;

class nats_publisher final : public publisher {
  public:
    explicit nats_publisher(const nats_settings& how) : settings_(how) {}

    std::vector<outcome> publish(std::span<const outgoing> all, std::stop_token stop) override {
        try {
            if (!session_ || !session_->alive()) {
                session_ = std::make_unique<nats_session>(settings_);
            }
        } catch (const nats_failure& problem) {
            session_.reset();
            return {all.size(), unavailable("NATS cannot be reached: " + text_of(problem))};
        }
        auto outcomes = exchange(all, stop);
        if (std::ranges::any_of(
                outcomes, [](const auto& one) { return one.error_class == unavailable_class; })) {
            // Late acknowledgements and unsent bytes end with the session.
            session_.reset();
        }
        return outcomes;
    }

  private:
    static std::string text_of(const nats_failure& problem) { return problem.what(); }

    std::vector<outcome> exchange(std::span<const outgoing> all, const std::stop_token& stop) {
        auto& acks = session_->acks();
        const auto batch = acks.begin(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            try {
                session_->send(all[i], batch, i);
            } catch (const nats_failure& problem) {
                acks.put(ack_box::reply_of(batch, i), refused(all[i], problem));
            }
        }
        const auto deadline = std::chrono::steady_clock::now() + settings_.timeout;
        auto answers = acks.wait(deadline, stop, [this] { return !session_->alive(); });
        std::vector<outcome> outcomes;
        outcomes.reserve(answers.size());
        for (auto& one : answers) {
            outcomes.push_back(one                     ? std::move(*one)
                               : stop.stop_requested() ? stopped()
                                                       : unavailable("NATS did not acknowledge"));
        }
        return outcomes;
    }

    outcome refused(const outgoing& one, const nats_failure& problem) const {
        switch (problem.status()) {
            case NATS_MAX_PAYLOAD:
                return too_large(one.message->payload().size(), session_->bytes_max());
            case NATS_INVALID_SUBJECT:
                return unroutable("NATS refuses the subject " + one.destination);
            default:
                return unavailable("NATS did not accept the message: " + text_of(problem));
        }
    }

    const nats_settings settings_;
    std::unique_ptr<nats_session> session_;
};

class nats_broker final : public target {
  public:
    nats_broker(nats_settings how, destination place)
        : settings_(std::move(how)), place_(std::move(place)) {}

    binding headers() const override { return binding::http; }
    int batch_max() const override { return 500; }
    const destination& place() const override { return place_; }

    std::optional<std::string> problem_of(const std::string& subject) const override {
        const auto refuse = [&](const std::string& why) {
            return "the subject '" + subject + "' " + why;
        };
        if (subject.size() > subject_bytes_max) {
            return refuse("is longer than " + std::to_string(subject_bytes_max) + " bytes");
        }
        if (subject.starts_with('.') || subject.ends_with('.') ||
            subject.find("..") != std::string::npos) {
            return refuse("has an empty part");
        }
        if (std::ranges::any_of(subject, [](unsigned char c) {
                return c <= ' ' || c == 0x7f || c == '*' || c == '>';
            })) {
            return refuse("has a blank, a control character or a wildcard");
        }
        if (subject.starts_with('$') || subject.starts_with("_INBOX.")) {
            return refuse("is reserved by NATS");
        }
        return std::nullopt;
    }

    std::unique_ptr<publisher> open() const override {
        return std::make_unique<nats_publisher>(settings_);
    }

  private:
    const nats_settings settings_;
    const destination place_;
};

}  // namespace

std::unique_ptr<target> nats_target(const relay_url& to, const relay_options& options) {
    if (options.destination.empty()) {
        throw usage_error("a relay to NATS needs a subject, for example orders.{event_type}");
    }
    auto made = std::make_unique<nats_broker>(
        nats_settings_of(to, options.credentials_file, options.timeout),
        destination(options.destination, destination::encoding::plain));
    if (auto problem =
            made->place().has_fields() ? std::nullopt : made->problem_of(options.destination)) {
        throw usage_error(*problem);
    }
    return made;
}

}  // namespace postrider::relaying
