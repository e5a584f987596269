#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <postrider/error.hpp>
#include <random>
#include <type_traits>
#include <utility>

#include "base/json/json.hpp"
#include "client/received_event.hpp"
#include "relay/redis/redis_group.hpp"
#include "relay/redis/redis_session.hpp"
#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

// Redis limits a read by the number of entries, which may have any size.
constexpr std::size_t fetch_bytes = std::size_t{64} << 20;
constexpr std::size_t fetch_elements = redis_answer_elements_max / 4;
constexpr int first_fetch_max = 64;
constexpr int fetch_max = 1 << 20;

// Producers may choose ids, and with them times out of range.
std::chrono::system_clock::time_point time_of(std::string_view id) {
    std::int64_t count = 0;
    std::from_chars(id.data(), id.data() + id.size(), count);
    return client::instant_of(count);
}

std::string new_name() {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return std::string(host.data()) + "-" + std::to_string(::getpid()) + "-" +
           std::to_string(std::random_device{}());
}

class redis_stream final : public source {
  public:
    redis_stream(redis_settings server, redis_group::settings how)
        : server_(std::move(server)), settings_(std::move(how)) {}
    redis_stream(const redis_stream&) = delete;
    redis_stream& operator=(const redis_stream&) = delete;
    ~redis_stream() override { redis_stream::close(); }

    std::vector<received_message> fetch(int limit, std::chrono::milliseconds wait) override {
        return guarded([&](redis_group& group) {
            std::vector<received_message> all;
            if (limit > 0) {
                const auto found = group.fetch(std::min(limit, most_), claims(), wait);
                learn(found);
                all.reserve(found.all.size());
                for (const auto& one : found.all) {
                    all.push_back(read(one));
                }
            }
            return all;
        });
    }
    void acknowledge(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { return group.acknowledge(receipts); });
    }
    void give_back(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { return group.give_back(receipts); });
    }
    void keep_alive(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { return group.keep_alive(receipts); });
    }
    std::chrono::milliseconds keep_alive_interval() const override {
        return settings_.redeliver_after / 3;
    }
    void close() override {
        try {
            if (group_) {
                group_->leave();
            }
        } catch (const std::exception&) {
            // The name stays in the group; its entries are claimed by other workers.
        }
        group_.reset();
    }

  private:
    using clock = std::chrono::steady_clock;

    // Ends the connection after a failure: the next call connects again.
    template <typename Call>
    std::invoke_result_t<Call, redis_group&> guarded(Call&& call) {
        try {
            if (!group_) {
                group_ = std::make_unique<redis_group>(server_, settings_);
            }
            return call(*group_);
        } catch (const redis_answer_given_up& problem) {
            // Redis hands the entries out again after redeliver_after, the one that is too large
            // among them: claimed together, they would be abandoned again.
            most_ = std::max(1, most_ / 4);
            claims_singly_until_ = clock::now() + 3 * settings_.redeliver_after;
            gave_up_ = true;
            group_.reset();
            throw std::runtime_error(std::string("Redis: ") + problem.what());
        } catch (const std::exception& problem) {
            group_.reset();
            throw std::runtime_error(std::string("Redis: ") + problem.what());
        }
    }

    // After an answer that was given up, new entries come first: each claim may meet another one
    // that is too large, and the worker pauses longer after each failure that no success comes
    // between.
    redis_group::claims claims() {
        if (std::exchange(gave_up_, false)) {
            return redis_group::claims::none;
        }
        return clock::now() < claims_singly_until_ ? redis_group::claims::singly
                                                   : redis_group::claims::in_batches;
    }

    // The next entries are expected to be as large as the last ones.
    void learn(const redis_group::entries& found) {
        if (!found.all.empty()) {
            const auto count = found.all.size();
            const auto fit = std::min(fetch_bytes / (found.bytes / count + 1),
                                      fetch_elements / (found.elements / count + 1));
            most_ =
                static_cast<int>(std::clamp<std::size_t>(fit, 1, std::min(2 * most_, fetch_max)));
        }
    }

    received_message read(const redis_group::entry& from) const {
        received_message made;
        made.id = from.id;
        made.source = settings_.stream;
        made.event_type = settings_.stream;
        made.published_at = made.occurred_at = time_of(from.id);
        made.deliveries = from.deliveries;
        made.receipt = from.id;
        const auto field = [&](std::string_view name) {
            return std::ranges::find(from.fields, name, &redis_group::field::first);
        };
        const auto header = [&](const std::string& name) -> std::optional<std::string> {
            const auto found = field(name);
            return found == from.fields.end() ? std::nullopt
                                              : std::optional<std::string>(found->second);
        };
        if (const auto data = field("data"); data != from.fields.end()) {
            return client::read_event(std::move(made), header, data->second,
                                      client::binding::kafka);
        }
        json_object all;
        for (const auto& [name, value] : from.fields) {
            all.add(name, value);
        }
        return client::read_event(std::move(made), header, all.text(), client::binding::kafka);
    }

    const redis_settings server_;
    const redis_group::settings settings_;
    int most_ = first_fetch_max;  ///< entries to request
    clock::time_point claims_singly_until_ = {};
    bool gave_up_ = false;
    std::unique_ptr<redis_group> group_;
};

}  // namespace

std::shared_ptr<source> redis_source(const relay_url& from, const source_options& options) {
    return std::make_shared<redis_stream>(
        redis_at(from, options.timeout),
        redis_group::settings{.stream = options.stream,
                              .group = options.group,
                              .consumer = new_name(),
                              .redeliver_after = options.redeliver_after});
}

}  // namespace postrider::relaying
