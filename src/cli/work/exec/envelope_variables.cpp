#include "cli/work/exec/envelope_variables.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "cli/libpq_variables.hpp"
#include "pg/conninfo.hpp"
#include "store/messages/encode.hpp"

namespace postrider::cli {
namespace {

constexpr std::array<std::string_view, 19> names{
    "POSTRIDER_MESSAGE_ID",    "POSTRIDER_EVENT_TYPE",      "POSTRIDER_EVENT_VERSION",
    "POSTRIDER_SOURCE",        "POSTRIDER_TARGET",          "POSTRIDER_OCCURRED_AT",
    "POSTRIDER_WORKSPACE_ID",  "POSTRIDER_IDEMPOTENCY_KEY", "POSTRIDER_ORDERING_KEY",
    "POSTRIDER_PARTITION_KEY", "POSTRIDER_CONTENT_CLASS",   "POSTRIDER_GENERATION",
    "POSTRIDER_HEADERS",       "POSTRIDER_TRACE_CONTEXT",   "TRACEPARENT",
    "POSTRIDER_HANDLER",       "POSTRIDER_ATTEMPTS",        "POSTRIDER_CYCLE",
    "POSTRIDER_RUN_KEY"};

// Secrets of the worker, not passed to commands.
constexpr std::array<std::string_view, 5> secrets{
    "POSTRIDER_ALERT_WEBHOOK", "POSTRIDER_ALERT_WEBHOOK_TOKEN", "SENTRY_DSN", "POSTRIDER_RELAY_TO",
    "POSTRIDER_WEBHOOK_SECRETS"};

bool is_ours(std::string_view name) {
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::find(secrets, name) != secrets.end();
}

// All variables of libpq: the name of a service or password file also gives access to a password.
bool is_about_database(std::string_view name) {
    static const auto libpq = pg::environment_names();
    return name == "POSTRIDER_DATABASE_URL" || std::ranges::find(libpq, name) != libpq.end();
}

class variables {
  public:
    explicit variables(bool pass_database) : all_(command_environment(pass_database)) {}
    void add(std::string_view name, std::string_view value) {
        all_.push_back(std::string(name) + "=" + std::string(value));
    }
    template <typename Text>
    void add(std::string_view name, const std::optional<Text>& value) {
        if (value) {
            add(name, std::string_view(*value));
        }
    }
    std::vector<std::string> take() { return std::move(all_); }

  private:
    std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> command_environment(bool pass_database) {
    std::vector<std::string> kept;
    if (pass_database) {
        kept = libpq_variables_set_aside();
    }
    for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const auto name = text.substr(0, text.find('='));
        if (!is_ours(name) && (pass_database || !is_about_database(name))) {
            kept.emplace_back(text);
        }
    }
    return kept;
}

std::vector<std::string> envelope_variables(const event& message, const postrider::context& run,
                                            bool pass_database) {
    variables all(pass_database);
    all.add("POSTRIDER_MESSAGE_ID", message.id());
    all.add("POSTRIDER_EVENT_TYPE", message.event_type());
    all.add("POSTRIDER_EVENT_VERSION", std::to_string(message.event_version()));
    all.add("POSTRIDER_SOURCE", message.source());
    all.add("POSTRIDER_TARGET", message.target());
    all.add("POSTRIDER_OCCURRED_AT", store::timestamp_text(message.occurred_at()));
    all.add("POSTRIDER_WORKSPACE_ID", message.workspace_id());
    all.add("POSTRIDER_IDEMPOTENCY_KEY", message.idempotency_key());
    all.add("POSTRIDER_ORDERING_KEY", message.ordering_key());
    all.add("POSTRIDER_PARTITION_KEY", message.partition_key());
    all.add("POSTRIDER_CONTENT_CLASS", message.content_class());
    if (message.generation()) {
        all.add("POSTRIDER_GENERATION", std::to_string(*message.generation()));
    }
    all.add("POSTRIDER_HEADERS", message.headers());
    all.add("POSTRIDER_TRACE_CONTEXT", message.trace_context());
    if (!run.trace_context().empty()) {
        all.add("TRACEPARENT", run.trace_context());
    }
    all.add("POSTRIDER_HANDLER", run.handler());
    all.add("POSTRIDER_ATTEMPTS", std::to_string(run.attempts()));
    all.add("POSTRIDER_CYCLE", std::to_string(run.cycle()));
    all.add("POSTRIDER_RUN_KEY", run.run_key(message));
    return all.take();
}

}  // namespace postrider::cli
