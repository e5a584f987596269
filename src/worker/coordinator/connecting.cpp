// The coordinator's session: registers the worker, and resumes it after a lost connection.
#include <unistd.h>

#include <array>
#include <postrider/error.hpp>
#include <postrider/version.hpp>

#include "migrate/recorded.hpp"
#include "store/work/deliveries.hpp"
#include "store/work/workers.hpp"
#include "worker/coordinator/coordinator.hpp"
#include "worker/coordinator/session_settings.hpp"

namespace postrider::working {
namespace {

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// A worker needs a session of its own: for prepared statements, LISTEN and the keeper's lock.
// Behind a pooler the process id of the protocol is not the server's. A notification that arrives
// shows that the pooler keeps sessions together.
void require_own_session(pg::connection& session, listening& notifications) {
    const auto pid = session.exec("select pg_backend_pid()").get<int>(0, 0);
    if (pid == session.backend_pid() || notifications.arrives_from(session)) {
        return;
    }
    throw usage_error(
        "this connection goes through a pooler that does not keep sessions together, such as "
        "PgBouncer in transaction mode: connect the worker to the server itself, or to a pool in "
        "session mode. Producers can use the pooler");
}

store::worker_registration registration_of(const worker_context& context) {
    const auto& options = context.options;
    auto handlers = context.threads->environment().handlers.registrations();
    if (options.source && !options.source->place().address.empty()) {
        for (auto& one : handlers) {
            one.broker = as_json(options.source->place(), "from");
        }
    }
    return {.worker = context.id,
            .consumer = options.consumer,
            .handlers = std::move(handlers),
            .channel = context.channel,
            .generation = options.generation,
            .alive_for = options.heartbeat_timeout,
            .host = host_name(),
            .version = std::string(version()),
            .from_beginning = options.from_beginning,
            .ordering = options.ordering ? std::optional(options.ordering->text()) : std::nullopt,
            .threads = options.concurrency};
}

void report_start(const worker_context& context, const std::string& difference) {
    context.report(level::info, "started",
                   "working for " + context.options.consumer + " on " + context.channel);
    if (!difference.empty()) {
        context.report(
            level::warning, "server_mismatch",
            "the server looks like a copy: " + difference +
                ". If it is one, stop this worker, or messages are handled here and by the "
                "original; then run `postrider adopt NAME --drop-owed`");
    }
}

}  // namespace

void coordinator::connect() {
    pg::connection fresh(context_.options.database);
    const auto watched = context_.watch(fresh);
    require_own_session(fresh, listening_);
    fresh.exec(notice_vanished_clients);
    fresh.exec(session_settings);
    if (!registered_before_) {
        migrate::require_schema(fresh);
    }
    store::require_deployment(fresh, context_.options.deployment);
    const auto began = clock::now();
    store::register_worker(fresh, registration_of(context_));
    context_.threads->environment().immediate.learn(store::immediate_retries(fresh, context_.id));
    store::prepare_exchange(fresh, context_.is_ordered());
    store::prepare_due(fresh);
    if (registered_before_) {
        store::resume_worker(fresh, context_.id, context_.held.lease_ids(),
                             context_.held.delivery_ids());
    }
    schedules_.declare(context_, fresh);
    history_.send(context_, fresh);
    const auto difference = registered_before_ ? std::string{} : store::server_mismatch(fresh);
    context_.connection.emplace(std::move(fresh));
    heartbeat_.registered(began);
    context_.schedule.look();
    context_.schedule.sweep_at(clock::now() + context_.options.sweep);
    context_.due_changed = true;
    alerts_.connected();
    replays_.look();
    schedules_.look();
    receiving_.open(context_);
    if (!std::exchange(registered_before_, true)) {
        report_start(context_, difference);
    }
}

}  // namespace postrider::working
