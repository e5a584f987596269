#include "client/classify.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <postrider/error.hpp>
#include <typeinfo>

#include "base/encoding/utf8.hpp"

namespace postrider::client {
namespace {

// The limits of conclude().
constexpr std::size_t error_bytes_max = 8192;
constexpr std::size_t class_bytes_max = 255;
// The limit of decide(); some thirty years.
constexpr std::chrono::milliseconds delay_max(1'000'000'000'000);

std::string type_name(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return readable ? readable.get() : type.name();
}

outcome because_of(outcome_kind kind, const std::exception& problem, std::string error_class) {
    const char* text = problem.what();
    return {kind, text == nullptr ? "" : text, std::move(error_class), {}};
}

// Not caused by the handler: the run is repeated, uncharged.
outcome interrupted_by(const error& problem, std::string error_class) {
    auto how = because_of(outcome_kind::interrupted, problem, std::move(error_class));
    how.delay = std::chrono::seconds(1);
    return how;
}

bool data_is_wrong(const std::string& sqlstate) {
    return sqlstate.starts_with("22") || sqlstate.starts_with("23");
}

bool data_is_wrong_by_class(std::string_view error_class) {
    return error_class.starts_with("sqlstate:22") || error_class.starts_with("sqlstate:23");
}

// The rank of the best matching entry: an exact match is highest, then the longest prefix.
std::size_t best_fit(const std::vector<std::string>& list, std::string_view error_class) {
    std::size_t best = 0;
    for (const std::string_view entry : list) {
        if (entry == error_class) {
            return std::string_view::npos;
        }
        if (entry.ends_with('*') && error_class.starts_with(entry.substr(0, entry.size() - 1))) {
            best = std::max(best, entry.size());
        }
    }
    return best;
}

outcome classify_exception(const std::exception& problem, const handler_options& options,
                           bool session_lost) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    auto error_class = ours != nullptr && !ours->sqlstate().empty() ? "sqlstate:" + ours->sqlstate()
                                                                    : type_name(typeid(problem));
    const bool wrong_data = ours != nullptr && data_is_wrong(ours->sqlstate());
    if (options.transient_errors.contains(problem)) {
        // With such a SQLSTATE the database would override the list, so the error class is the
        // type.
        return because_of(outcome_kind::transient, problem,
                          wrong_data ? type_name(typeid(problem)) : std::move(error_class));
    }
    if (options.terminal_errors.contains(problem) ||
        dynamic_cast<const terminal_error*>(&problem) != nullptr) {
        return because_of(outcome_kind::terminal, problem, std::move(error_class));
    }
    if (session_lost && ours != nullptr && (ours->connection_lost() || ours->commit_unknown())) {
        return interrupted_by(*ours, std::move(error_class));
    }
    return because_of(wrong_data ? outcome_kind::terminal : outcome_kind::transient, problem,
                      std::move(error_class));
}

}  // namespace

outcome classify(const std::exception_ptr& thrown, const handler_options& options,
                 bool session_lost) {
    try {
        std::rethrow_exception(thrown);
    } catch (const outcome_error& said) {
        return judged(reportable(said.how()), options);
    } catch (const std::exception& problem) {
        return judged(reportable(classify_exception(problem, options, session_lost)), options);
    } catch (...) {
        const auto* type = abi::__cxa_current_exception_type();
        return judged(transient("unknown exception",
                                type == nullptr ? "unknown exception" : type_name(*type)),
                      options);
    }
}

outcome judged(outcome how, const handler_options& options) {
    if (how.kind != outcome_kind::transient && how.kind != outcome_kind::terminal) {
        return how;
    }
    if (!options.honour_terminal) {
        how.kind = outcome_kind::transient;
        return how;
    }
    const auto final = best_fit(options.terminal_classes, how.error_class);
    const auto passing = best_fit(options.transient_classes, how.error_class);
    if (final > 0 || passing > 0) {
        how.kind = final > passing ? outcome_kind::terminal : outcome_kind::transient;
    } else if (data_is_wrong_by_class(how.error_class)) {
        how.kind = outcome_kind::terminal;
    }
    return how;
}

bool is_listed(const std::vector<std::string>& classes, std::string_view error_class) {
    return best_fit(classes, error_class) > 0;
}

outcome reportable(outcome how) {
    how.error = repaired_utf8(how.error, error_bytes_max);
    how.error_class = repaired_utf8(how.error_class, class_bytes_max);
    if (how.delay) {
        how.delay = std::clamp(*how.delay, std::chrono::milliseconds(0), delay_max);
    }
    return how;
}

}  // namespace postrider::client
