#include <algorithm>
#include <charconv>
#include <optional>
#include <postrider/error.hpp>
#include <type_traits>
#include <utility>

#include "client/received_event.hpp"
#include "relay/nats/pull_session.hpp"
#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

/// The parts of a receipt: $JS.ACK.<stream>.<group>.<deliveries>.<sequence>.<…>.<nanoseconds>.<…>,
/// with a domain and an account behind ACK in newer servers.
struct receipt_parts {
    std::string id;  ///< sequence and time: a stream that was made again counts from 1
    int deliveries = 1;
    std::chrono::system_clock::time_point stored_at = {};
};

receipt_parts read_receipt(std::string_view receipt) {
    std::vector<std::string_view> parts;
    while (!receipt.empty()) {
        const auto end = std::min(receipt.find('.'), receipt.size());
        parts.push_back(receipt.substr(0, end));
        receipt.remove_prefix(std::min(end + 1, receipt.size()));
    }
    constexpr std::size_t parts_min = 9;
    if (parts.size() < parts_min) {
        return {};
    }
    const std::size_t first = parts.size() > parts_min ? 6 : 4;  // the number of deliveries
    const auto number = [&](std::size_t at) {
        std::int64_t value = 0;
        std::from_chars(parts[at].data(), parts[at].data() + parts[at].size(), value);
        return value;
    };
    using namespace std::chrono;
    return {.id = std::string(parts[first + 1]) + "-" + std::string(parts[first + 3]),
            .deliveries = static_cast<int>(number(first)),
            .stored_at = system_clock::time_point(
                duration_cast<system_clock::duration>(nanoseconds(number(first + 3))))};
}

class jetstream final : public source {
  public:
    explicit jetstream(pull_settings how) : settings_(std::move(how)) {}

    std::vector<received_message> fetch(int limit, std::chrono::milliseconds wait) override {
        return guarded([&](pull_session& session) {
            std::vector<received_message> all;
            for (const auto& one : session.fetch(limit, wait)) {
                all.push_back(read(one.get()));
            }
            return all;
        });
    }
    void acknowledge(std::span<const std::string> receipts) override { answer(receipts, "+ACK"); }
    void give_back(std::span<const std::string> receipts) override { answer(receipts, "-NAK"); }
    void keep_alive(std::span<const std::string> receipts) override { answer(receipts, "+WPI"); }
    std::chrono::milliseconds keep_alive_interval() const override { return interval_; }
    void close() override { session_.reset(); }

  private:
    // Ends the session after a failure: the next call connects again.
    template <typename Call>
    std::invoke_result_t<Call, pull_session&> guarded(Call&& call) {
        try {
            if (!session_) {
                session_ = std::make_unique<pull_session>(settings_);
                interval_ = session_->redeliver_after() / 3;
            }
            return call(*session_);
        } catch (const nats_failure& problem) {
            session_.reset();
            throw std::runtime_error(std::string("NATS: ") + problem.what());
        } catch (...) {
            session_.reset();
            throw;
        }
    }

    void answer(std::span<const std::string> receipts, const char* how) {
        guarded([&](pull_session& session) {
            for (const auto& one : receipts) {
                session.answer(one, how);
            }
            return true;
        });
    }

    received_message read(natsMsg* from) const {
        received_message made;
        made.receipt = natsMsg_GetReply(from);
        auto parts = read_receipt(made.receipt);
        made.deliveries = parts.deliveries;
        made.published_at = made.occurred_at = parts.stored_at;
        made.event_type = natsMsg_GetSubject(from);
        made.source = settings_.stream;
        made.id = std::move(parts.id);
        const auto header = [&](const std::string& name) -> std::optional<std::string> {
            const char* value = nullptr;
            return natsMsgHeader_Get(from, name.c_str(), &value) == NATS_OK
                       ? std::optional<std::string>(value)
                       : std::nullopt;
        };
        return client::read_event(
            std::move(made), header,
            std::string(natsMsg_GetData(from),
                        static_cast<std::size_t>(natsMsg_GetDataLength(from))),
            client::binding::http);
    }

    const pull_settings settings_;
    std::chrono::milliseconds interval_ = settings_.redeliver_after / 3;
    std::unique_ptr<pull_session> session_;
};

}  // namespace

std::shared_ptr<source> nats_source(const relay_url& from, const source_options& options) {
    for (const auto* name : {&options.stream, &options.group}) {
        if (name->find_first_of(" .*>\t/\\") != std::string::npos) {
            throw usage_error("the stream or group '" + *name +
                              "' has a character that NATS does not allow");
        }
    }
    return std::make_shared<jetstream>(
        pull_settings{.server = nats_settings_of(from, options.credentials_file, options.timeout),
                      .stream = options.stream,
                      .group = options.group,
                      .subject = options.subject,
                      .redeliver_after = options.redeliver_after});
}

}  // namespace postrider::relaying
