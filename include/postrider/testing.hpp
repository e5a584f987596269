#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <postrider/message.hpp>
#include <postrider/outcome.hpp>
#include <postrider/retry.hpp>
#include <postrider/testing_export.hpp>
#include <postrider/worker.hpp>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace postrider {

/// Internal: the forms of handlers, as the worker distinguishes them.
struct handler_access {
    template <typename Function>
    static handler_function plain(Function handler) {
        return worker::as_plain(std::move(handler));
    }
    template <typename Function>
    static batch_function batch(Function handler) {
        return worker::as_batch(std::move(handler));
    }
    template <typename Function>
    static transactional_function transactional(Function handler) {
        return worker::as_transactional(std::move(handler));
    }
};

}  // namespace postrider

/// For tests of your own handlers, with any test framework: link postrider::testing. Only
/// transactional handlers need a database. To run a whole worker once over all waiting messages,
/// call worker::drain().
namespace postrider::testing {

/// Thrown by the expectations below; the text has the expected and the actual outcome.
class POSTRIDER_TESTING_EXPORT expectation_failed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~expectation_failed() override;
    expectation_failed(const expectation_failed&) = default;
    expectation_failed& operator=(const expectation_failed&) = default;
};

/// Events as a handler gets them when these messages are published: checked and filled in as
/// publish() does. They live as long as this object.
class POSTRIDER_TESTING_EXPORT received {
  public:
    explicit received(message published);
    explicit received(std::vector<message> published);
    received(received&&) noexcept;
    received& operator=(received&&) noexcept;
    ~received();

    const event& front() const { return all().front(); }
    std::span<const event> all() const;

  private:
    struct state;
    std::unique_ptr<state> state_;
};

/// The circumstances of a run.
struct run_options {
    handler_options handler = {};       ///< as given to worker::on()
    std::string name = "test.handler";  ///< as given to worker::on()
    std::string consumer = "test";      ///< of the worker; part of the inbox key
    int attempts = 1;                   ///< this run included
    int cycle = 1;                      ///< above 1 after a replay
    std::chrono::milliseconds time_left = std::chrono::minutes(5);
    std::stop_token stop = {};
    /// Receives the progress and results that the handler records, with the index of the event.
    std::function<void(std::size_t, job_progress)> record = {};
};

/// The end of the transaction of a transactional handler that delivered.
enum class ending { roll_back, commit };

struct transactional_run {
    outcome how = {};
    bool duplicate = false;  ///< the inbox had an entry for the effect: the handler did not run
};

/// The outcome of a run of a handler, as a worker would report it: the returned outcome, or the
/// classification of the exception. A transactional handler runs on `on` as in a worker, with its
/// inbox entry. Its effects are rolled back unless it delivered and `then` is commit; a constraint
/// that would prevent the commit is found either way.
template <typename Function>
requires plain_handler<Function> outcome run(Function handler, const message& published,
                                             const run_options& options = {});
template <typename Function>
requires batch_handler<Function> std::vector<outcome> run(Function handler,
                                                          std::vector<message> published,
                                                          const run_options& options = {});
template <typename Function>
requires transactional_handler<Function> transactional_run run(Function handler,
                                                               const message& published,
                                                               connection& on,
                                                               ending then = ending::roll_back,
                                                               const run_options& options = {});

/// A manual clock: time passes only in advance().
class fake_clock {
  public:
    using time_point = std::chrono::system_clock::time_point;
    explicit fake_clock(time_point start = std::chrono::sys_days{std::chrono::year{2030} / 1 / 1})
        : now_(start) {}
    time_point now() const noexcept { return now_; }
    void advance(std::chrono::microseconds by) noexcept { now_ += by; }

  private:
    time_point now_;
};

/// One run of a cycle.
struct started_run {
    fake_clock::time_point at = {};
    int attempts = 1;  ///< this run included; uncharged runs do not count
    outcome how = {};
};

struct cycle {
    std::vector<started_run> runs = {};
    bool delivered = false;  ///< otherwise it ended as a dead letter
};

/// Runs a handler with the retries that the database would make, until the message is delivered or
/// a dead letter. Delays between runs only advance `clock`. `u` in [0, 1) is the random number of
/// the jitter.
template <typename Function>
requires plain_handler<Function> cycle run_cycle(Function handler, const message& published,
                                                 fake_clock& clock, const run_options& options = {},
                                                 double u = 0.5);

/// The delays between the attempts of a message that always fails.
POSTRIDER_TESTING_EXPORT std::vector<std::chrono::microseconds> schedule(
    const handler_options& options, double u = 0.5);

/// Throw expectation_failed when the outcome differs. An empty class means any.
POSTRIDER_TESTING_EXPORT void expect_delivered(const outcome& how);
POSTRIDER_TESTING_EXPORT void expect_transient(const outcome& how,
                                               std::string_view error_class = {});
POSTRIDER_TESTING_EXPORT void expect_terminal(const outcome& how,
                                              std::string_view error_class = {});
POSTRIDER_TESTING_EXPORT void expect_snooze(const outcome& how, std::chrono::milliseconds delay);

/// An outcome for people: "transient after 3000 ms: retry_after: asked to come back".
POSTRIDER_TESTING_EXPORT std::string describe(const outcome& how);

/// Internal: the functions behind the templates.
namespace internal {

POSTRIDER_TESTING_EXPORT outcome run_plain(const handler_function& handler, const event& input,
                                           const run_options& options);
POSTRIDER_TESTING_EXPORT std::vector<outcome> run_batch(const batch_function& handler,
                                                        std::span<const event> input,
                                                        const run_options& options);
POSTRIDER_TESTING_EXPORT transactional_run run_transactional(const transactional_function& handler,
                                                             const event& input, connection& on,
                                                             ending then,
                                                             const run_options& options);
POSTRIDER_TESTING_EXPORT cycle run_cycle(const handler_function& handler, const message& published,
                                         fake_clock& clock, run_options options, double u);

}  // namespace internal

template <typename Function>
requires plain_handler<Function> outcome run(Function handler, const message& published,
                                             const run_options& options) {
    return internal::run_plain(handler_access::plain(std::move(handler)),
                               received(published).front(), options);
}

template <typename Function>
requires batch_handler<Function> std::vector<outcome> run(Function handler,
                                                          std::vector<message> published,
                                                          const run_options& options) {
    return internal::run_batch(handler_access::batch(std::move(handler)),
                               received(std::move(published)).all(), options);
}

template <typename Function>
requires transactional_handler<Function> transactional_run run(Function handler,
                                                               const message& published,
                                                               connection& on, ending then,
                                                               const run_options& options) {
    return internal::run_transactional(handler_access::transactional(std::move(handler)),
                                       received(published).front(), on, then, options);
}

template <typename Function>
requires plain_handler<Function> cycle run_cycle(Function handler, const message& published,
                                                 fake_clock& clock, const run_options& options,
                                                 double u) {
    return internal::run_cycle(handler_access::plain(std::move(handler)), published, clock, options,
                               u);
}

}  // namespace postrider::testing
