#include <algorithm>
#include <array>
#include <postrider/error.hpp>

#include "relay/redis/add_once.hpp"

namespace postrider::relaying {
namespace {

constexpr std::size_t stream_bytes_max = 512;
// hiredis keeps unsent commands in memory.
constexpr std::size_t pipeline_bytes_max = std::size_t{4} << 20;

std::string error_of(const redisReply& reply) { return {reply.str, reply.len}; }

// The first word of an error names its kind.
std::string kind_of(const std::string& error) { return error.substr(0, error.find(' ')); }

outcome refused(const std::string& error) {
    constexpr std::array<std::string_view, 9> outages{"LOADING",    "READONLY",    "OOM",
                                                      "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS",
                                                      "BUSY",       "MISCONF",     "TRYAGAIN"};
    const auto kind = kind_of(error);
    return std::ranges::find(outages, kind) != outages.end()
               ? unavailable("Redis refuses writes: " + error)
               : transient("Redis refuses the message: " + error, "redis:" + kind);
}

outcome undelivered(const redisReply& reply) {
    return reply.type == REDIS_REPLY_ERROR
               ? refused(error_of(reply))
               : transient("Redis sent an unknown answer", "relay_no_answer");
}

outcome outcome_of_answer(const redisReply& reply) {
    return reply.type == REDIS_REPLY_STRING ? delivered() : undelivered(reply);
}

class redis_publisher final : public publisher {
  public:
    explicit redis_publisher(const redis_settings& how) : settings_(how) {}

    std::vector<outcome> publish(std::span<const outgoing> all, std::stop_token) override {
        std::vector<outcome> outcomes(all.size(), unavailable("Redis did not answer"));
        try {
            if (!session_) {
                open();
            }
            send(all, outcomes);
            // A server that was restarted has forgotten the script.
            if (std::ranges::any_of(outcomes, [](const auto& one) {
                    return one.error_class == "redis:NOSCRIPT";
                })) {
                open();
                send(all, outcomes);
            }
        } catch (const redis_failure& problem) {
            session_.reset();
            for (auto& one : outcomes) {
                if (one.error_class == unavailable_class) {
                    one.error = std::string("Redis cannot be reached: ") + problem.what();
                }
            }
        }
        return outcomes;
    }

  private:
    void open() {
        session_.reset();
        auto fresh = std::make_unique<redis_session>(settings_);
        const auto loaded = fresh->call({"SCRIPT", "LOAD", add_once_script});
        if (loaded->type != REDIS_REPLY_STRING) {
            throw redis_failure("it does not accept scripts");
        }
        script_ = std::string(loaded->str, loaded->len);
        session_ = std::move(fresh);
    }

    void send(std::span<const outgoing> all, std::vector<outcome>& outcomes) {
        std::vector<std::vector<std::size_t>> unanswered;
        std::size_t bytes = 0;
        for (auto& call : calls_for(all)) {
            const add_once_command command(script_, all, call, settings_);
            session_->append(command.words());
            for (const auto index : call) {
                bytes += all[index].message->payload().size();
            }
            unanswered.push_back(std::move(call));
            if (bytes > pipeline_bytes_max) {
                take_replies(std::exchange(unanswered, {}), outcomes);
                bytes = 0;
            }
        }
        take_replies(unanswered, outcomes);
    }

    void take_replies(const std::vector<std::vector<std::size_t>>& calls,
                      std::vector<outcome>& outcomes) {
        for (const auto& call : calls) {
            const auto reply = session_->next_reply();
            const bool one_each =
                reply->type == REDIS_REPLY_ARRAY && reply->elements == call.size();
            for (std::size_t i = 0; i < call.size(); ++i) {
                outcomes[call[i]] =
                    one_each ? outcome_of_answer(*reply->element[i]) : undelivered(*reply);
            }
        }
    }

    const redis_settings settings_;
    std::string script_;  ///< its hash
    std::unique_ptr<redis_session> session_;
};

class redis_broker final : public target {
  public:
    redis_broker(redis_settings how, destination place)
        : settings_(std::move(how)), place_(std::move(place)) {}

    binding headers() const override { return binding::kafka; }
    int batch_max() const override { return 500; }
    const destination& place() const override { return place_; }
    std::optional<std::string> problem_of(const std::string& stream) const override {
        if (stream.empty() || stream.size() > stream_bytes_max ||
            stream.find_first_of("{}") != std::string::npos) {
            return "the stream '" + stream + "' must have 1 to 512 bytes, and none of them a brace";
        }
        return std::nullopt;
    }
    std::unique_ptr<publisher> open() const override {
        return std::make_unique<redis_publisher>(settings_);
    }

  private:
    const redis_settings settings_;
    const destination place_;
};

}  // namespace

std::unique_ptr<target> redis_target(const relay_url& to, const relay_options& options) {
    if (options.destination.empty()) {
        throw usage_error("a relay to Redis needs a stream, for example orders.{event_type}");
    }
    if (options.dedupe_for < std::chrono::seconds(1) || options.keep_for.count() < 0) {
        throw usage_error("the time for deduplication must be at least 1 s, that of entries 0");
    }
    auto server = redis_at(to, options.timeout);
    server.dedupe_for = options.dedupe_for;
    server.keep_for = options.keep_for;
    return std::make_unique<redis_broker>(
        std::move(server), destination(options.destination, destination::encoding::plain));
}

}  // namespace postrider::relaying
