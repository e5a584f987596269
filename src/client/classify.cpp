#include "client/classify.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <postrider/error.hpp>
#include <typeinfo>

#include "base/utf8.hpp"

namespace postrider::client {
namespace {

// What conclude() keeps of either.
constexpr std::size_t error_bytes_max = 8192;
constexpr std::size_t class_bytes_max = 255;

std::string type_name(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
    return readable ? readable.get() : type.name();
}

outcome because_of(outcome_kind kind, const std::exception& problem, std::string error_class) {
    return {kind, problem.what(), std::move(error_class), {}};
}

// Nothing the handler did: the run counts for nothing and is repeated.
outcome interrupted_by(const error& problem, std::string error_class) {
    auto how = because_of(outcome_kind::interrupted, problem, std::move(error_class));
    how.delay = std::chrono::seconds(1);
    return how;
}

bool data_is_wrong(const std::string& sqlstate) {
    return sqlstate.starts_with("22") || sqlstate.starts_with("23");
}

outcome classify_exception(const std::exception& problem, const handler_options& options) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    auto error_class = ours != nullptr && !ours->sqlstate().empty() ? "sqlstate:" + ours->sqlstate()
                                                                    : type_name(typeid(problem));
    const bool wrong_data = ours != nullptr && data_is_wrong(ours->sqlstate());
    if (options.transient_errors.contains(problem)) {
        // By such a SQLSTATE the database would overrule the list; the type is what was listed.
        return because_of(outcome_kind::failed, problem,
                          wrong_data ? type_name(typeid(problem)) : std::move(error_class));
    }
    if (options.terminal_errors.contains(problem) ||
        dynamic_cast<const terminal_error*>(&problem) != nullptr) {
        return because_of(outcome_kind::terminal, problem, std::move(error_class));
    }
    if (ours != nullptr && (ours->connection_lost() || ours->commit_unknown())) {
        return interrupted_by(*ours, std::move(error_class));
    }
    return because_of(wrong_data ? outcome_kind::terminal : outcome_kind::failed, problem,
                      std::move(error_class));
}

}  // namespace

outcome classify(const std::exception_ptr& thrown, const handler_options& options) {
    try {
        std::rethrow_exception(thrown);
    } catch (const outcome_error& said) {
        return reportable(said.how());
    } catch (const std::exception& problem) {
        return reportable(classify_exception(problem, options));
    } catch (...) {
        const auto* type = abi::__cxa_current_exception_type();
        return failed("unknown exception",
                      type == nullptr ? "unknown exception" : type_name(*type));
    }
}

outcome reportable(outcome how) {
    how.error = repaired_utf8(how.error, error_bytes_max);
    how.error_class = repaired_utf8(how.error_class, class_bytes_max);
    return how;
}

}  // namespace postrider::client
