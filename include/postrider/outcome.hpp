#pragma once

#include <chrono>
#include <new>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/export.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace postrider {

enum class outcome_kind {
    delivered,    ///< done
    transient,    ///< retried as the retry policy says, until the attempts are used up
    terminal,     ///< not retried: a dead letter at once
    snooze,       ///< runs again after a delay; spends no attempt
    interrupted,  ///< not finished for an external reason: runs again; spends no attempt
};

POSTRIDER_EXPORT std::string_view to_string(outcome_kind kind) noexcept;

/// How a run of a handler ended. Handlers that return nothing deliver by returning and fail by
/// throwing; others return the result of one of the functions below.
struct outcome {
    outcome_kind kind = outcome_kind::delivered;
    std::string error = {};
    std::string error_class = {};
    std::optional<std::chrono::milliseconds> delay = {};  ///< instead of the policy's

    bool ok() const noexcept { return kind == outcome_kind::delivered; }
};

inline outcome delivered() { return {}; }
inline outcome transient(std::string error, std::string error_class = "transient") {
    return {outcome_kind::transient, std::move(error), std::move(error_class), {}};
}
inline outcome terminal(std::string error, std::string error_class = "terminal") {
    return {outcome_kind::terminal, std::move(error), std::move(error_class), {}};
}
/// A failure with a known retry delay (a rate limit, a Retry-After header).
inline outcome retry_after(std::chrono::milliseconds delay,
                           std::string error = "asked to come back",
                           std::string error_class = "retry_after") {
    return {outcome_kind::transient, std::move(error), std::move(error_class), delay};
}
/// Not a failure: it is too early to handle the message. Spends no attempt.
inline outcome snooze(std::chrono::milliseconds delay) {
    return {outcome_kind::snooze, {}, {}, delay};
}

/// Thrown by a handler for a failure that must not be retried. Derive your own final errors from
/// it.
class POSTRIDER_EXPORT terminal_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~terminal_error() override;
    terminal_error(const terminal_error&) = default;
    terminal_error& operator=(const terminal_error&) = default;
};

/// The handler cannot read the payload. Terminal: another attempt would read the same bytes.
class POSTRIDER_EXPORT payload_error : public terminal_error {
  public:
    using terminal_error::terminal_error;
    ~payload_error() override;
    payload_error(const payload_error&) = default;
    payload_error& operator=(const payload_error&) = default;
};

/// Thrown by a handler with any outcome, where returning it is inconvenient.
class POSTRIDER_EXPORT outcome_error : public std::runtime_error {
  public:
    explicit outcome_error(outcome how);
    ~outcome_error() override;
    outcome_error(const outcome_error&) = default;
    outcome_error& operator=(const outcome_error&) = default;
    const outcome& how() const noexcept { return how_; }

  private:
    outcome how_;
};

/// Runs a check of a payload. An exception that leaves it is terminal, also of types that are
/// transient elsewhere in the handler. Database errors and outcome errors are passed on unchanged.
template <typename Check>
decltype(auto) validate(Check&& check) {
    try {
        return std::forward<Check>(check)();
    } catch (const terminal_error&) {
        throw;
    } catch (const outcome_error&) {
        throw;
    } catch (const error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& problem) {
        throw payload_error(problem.what());
    }
}

}  // namespace postrider
