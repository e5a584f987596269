#include <unistd.h>

#include <algorithm>
#include <array>
#include <postrider/error.hpp>
#include <random>
#include <utility>

#include "relay/redis/redis_backlog.hpp"
#include "relay/redis/redis_group.hpp"
#include "relay/redis/redis_message.hpp"
#include "relay/redis/redis_session.hpp"
#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

constexpr int first_read = 64;
// New entries wait for as long as those of the backlog are read, plus one answer.
constexpr auto backlog_time_max = std::chrono::milliseconds(300);
// An answer that was given up contains at most this many entries that had been claimed before.
constexpr int claimed_among_unread = 1000;

std::string new_name() {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return std::string(host.data()) + "-" + std::to_string(::getpid()) + "-" +
           std::to_string(std::random_device{}());
}

class redis_stream final : public source {
  public:
    redis_stream(redis_settings server, redis_group::settings how)
        : server_(std::move(server)),
          settings_(std::move(how)),
          backlog_(settings_.redeliver_after) {}
    redis_stream(const redis_stream&) = delete;
    redis_stream& operator=(const redis_stream&) = delete;
    ~redis_stream() override { redis_stream::close(); }

    std::vector<received_message> fetch(int limit, std::chrono::milliseconds wait) override {
        notice_.clear();
        redis_group::entries found;
        if (limit > 0) {
            try {
                read_backlog(limit, found);
                read_new(limit, wait, found);
            } catch (const std::exception& problem) {
                group_.reset();
                // The next call reports it: these are claimed, and no other worker gets them soon.
                if (found.all.empty()) {
                    throw failure(problem);
                }
            }
        }
        return messages_of(found);
    }
    std::string notice() override {
        return notice_.empty()
                   ? notice_
                   : "stream " + settings_.stream + ": " + notice_ + "; " + backlog_.skipped();
    }
    void acknowledge(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { group.acknowledge(receipts); });
    }
    void give_back(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { group.give_back(receipts); });
    }
    void keep_alive(std::span<const std::string> receipts) override {
        guarded([&](redis_group& group) { group.keep_alive(receipts); });
    }
    std::chrono::milliseconds keep_alive_interval() const override {
        return settings_.redeliver_after / 3;
    }
    void close() override {
        try {
            if (group_ && !backlog_.empty()) {
                group_->give_back(backlog_.ids());
            }
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

    static std::runtime_error failure(const std::exception& problem) {
        return std::runtime_error(std::string("Redis: ") + problem.what());
    }

    redis_group& connected() {
        if (!group_) {
            group_ = std::make_unique<redis_group>(server_, settings_);
        }
        return *group_;
    }

    // Ends the connection after a failure: the next call connects again.
    template <typename Call>
    void guarded(Call&& call) {
        try {
            call(connected());
        } catch (const std::exception& problem) {
            group_.reset();
            throw failure(problem);
        }
    }

    // An answer that was given up is no failure of the server. The worker must not pause for it, or
    // producers could stop it with a few entries that are too large.
    void gave_up(const redis_answer_given_up& problem) {
        group_.reset();
        notice_ = problem.what();
    }

    void read_backlog(int limit, redis_group::entries& found) {
        const auto until = clock::now() + backlog_time_max;
        backlog_.claim(connected(), limit);
        while (!backlog_.empty() && std::ssize(found.all) < limit &&
               !redis_read_size::is_full(found) && clock::now() < until) {
            const auto left = limit - static_cast<int>(found.all.size());
            try {
                found.append(backlog_.read(connected(), left));
            } catch (const redis_answer_given_up& problem) {
                gave_up(problem);
            }
        }
    }

    void read_new(int limit, std::chrono::milliseconds wait, redis_group::entries& found) {
        const auto count = std::min(limit, size_.most());
        const bool waits = found.all.empty() && backlog_.empty();
        try {
            auto fresh = connected().read_new(count, waits ? wait : std::chrono::milliseconds(1));
            size_.learn(fresh);
            if (!fresh.all.empty()) {
                last_new_ = fresh.all.back().id;
            }
            found.append(std::move(fresh));
        } catch (const redis_answer_given_up& problem) {
            gave_up(problem);
            size_.gave_up();
            if (!recover(count, dynamic_cast<const redis_answer_too_large*>(&problem) != nullptr)) {
                throw;  // no entries explain it, so it is a failure of the server
            }
        }
    }

    // An entry can become a message of six times its size. Those that do not fit into this fetch
    // are read again, which costs less than their memory.
    std::vector<received_message> messages_of(const redis_group::entries& found) {
        std::vector<received_message> all;
        all.reserve(found.all.size());
        std::size_t bytes = 0;
        for (const auto& one : found.all) {
            if (one.message_bytes > message_bytes_max) {
                backlog_.skip(std::string(one.id));
                notice_ = "an entry makes a message of more than " +
                          std::to_string(message_bytes_max) + " bytes";
            } else if (bytes + one.message_bytes > message_bytes_max) {
                backlog_.put_back(std::string(one.id), one.deliveries);
            } else {
                bytes += one.message_bytes;
                all.push_back(message_of(one, settings_.stream));
            }
        }
        return all;
    }

    // Redis has made the entries of the answer this consumer's: without their ids, those that are
    // not too large would wait for redeliver_after, and count as a lost worker's.
    bool recover(int count, bool too_large) {
        auto ids = connected().handed_out_once(last_new_, count + claimed_among_unread);
        if (ids.empty()) {
            return false;
        }
        last_new_ = ids.back();
        if (too_large && count == 1 && ids.size() == 1) {
            backlog_.skip(ids.front());
        } else {
            backlog_.add_unread(std::move(ids));
        }
        return true;
    }

    const redis_settings server_;
    const redis_group::settings settings_;
    redis_backlog backlog_;
    redis_read_size size_{first_read};  ///< of new entries
    std::string last_new_;              ///< the last new entry that was handed out
    std::string notice_;
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
