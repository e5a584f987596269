#include <functional>
#include <postrider/testing.hpp>

#include "client/classify.hpp"
#include "client/trace.hpp"
#include "client/transaction_state.hpp"

namespace postrider::testing {
namespace {

/// The environment of a running handler: its context and its trace.
class surroundings {
  public:
    using report_function = std::function<void(std::size_t, outcome)>;
    surroundings(const run_options& options, std::optional<std::string_view> trace,
                 const report_function* report = nullptr)
        : traceparent_(continued(trace)),
          scope_(traceparent_.empty() ? nullptr : &traceparent_),
          context_({.handler = options.name,
                    .attempts = options.attempts,
                    .cycle = options.cycle,
                    .deadline = std::chrono::steady_clock::now() + options.time_left,
                    .stop = options.stop,
                    .trace_context = traceparent_,
                    .report = report,
                    .record = options.record ? &options.record : nullptr}) {}

    context& known() { return context_; }

  private:
    static std::string continued(std::optional<std::string_view> trace) {
        const auto ids = client::continue_trace(trace.value_or(""));
        return ids ? client::traceparent(*ids) : std::string(trace.value_or(""));
    }

    std::string traceparent_;
    client::trace_scope scope_;
    context context_;
};

// `session_lost`: set by the call when the connection that a worker would have given is gone.
outcome outcome_of(const std::function<outcome()>& call, const handler_options& options,
                   const bool& session_lost) {
    try {
        return client::judged(client::reportable(call()), options);
    } catch (...) {
        return client::classify(std::current_exception(), options, session_lost);
    }
}

bool handled_before(transaction& work, const run_options& options, const event& input) {
    const std::vector<std::optional<std::string>> values{
        options.consumer, options.name, std::string(input.source()), input.idempotency_key()};
    return work.query_value("select postrider.handle_once(row($1, $2, $3, $4))", values) != "t";
}

// Detects errors that would prevent a commit: a failed statement, even if its error was caught, and
// deferred constraints.
void require_committable(transaction& work) { work.exec("set constraints all immediate"); }

}  // namespace

outcome internal::run_plain(const handler_function& handler, const event& input,
                            const run_options& options) {
    surroundings around(options, input.trace_context());
    return outcome_of([&] { return handler(input, around.known()); }, options.handler, false);
}

std::vector<outcome> internal::run_batch(const batch_function& handler,
                                         std::span<const event> input, const run_options& options) {
    std::vector<std::optional<outcome>> early(input.size());
    const surroundings::report_function report = [&](std::size_t index, outcome how) {
        if (index < early.size() && !early[index]) {
            early[index] = std::move(how);
        }
    };
    surroundings around(options, std::nullopt, &report);
    std::vector<outcome> all;
    try {
        all = handler(input, around.known());
    } catch (...) {
        // It does not concern a single event, so each of them gets it.
        return {input.size(), client::classify(std::current_exception(), options.handler)};
    }
    if (all.size() != input.size()) {
        return {input.size(),
                transient("the batch handler gave " + std::to_string(all.size()) +
                              " outcomes for " + std::to_string(input.size()) + " events",
                          "outcomes_missing")};
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& how = early[i] ? *early[i] : all[i];
        all[i] = client::judged(client::reportable(std::move(how)), options.handler);
    }
    return all;
}

transactional_run internal::run_transactional(const transactional_function& handler,
                                              const event& input, connection& on, ending then,
                                              const run_options& options) {
    surroundings around(options, input.trace_context());
    transactional_run ran;
    const auto within = [&](transaction& work) {
        if (handled_before(work, options, input)) {
            ran.duplicate = true;
            return delivered();
        }
        auto& ended_by = work.internals().ended_by;
        ended_by = transaction::state::owner::worker;
        auto how = handler(input, work, around.known());
        ended_by = transaction::state::owner::holder;
        if (how.ok()) {
            then == ending::commit ? work.commit() : require_committable(work);
        }
        return how;
    };
    bool session_lost = false;
    ran.how = outcome_of(
        [&] {
            transaction work(on);
            try {
                return within(work);
            } catch (...) {
                session_lost = work.internals().session_lost();
                throw;
            }
        },
        options.handler, session_lost);
    return ran;
}

}  // namespace postrider::testing
