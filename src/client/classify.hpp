#pragma once

#include <exception>
#include <postrider/export.hpp>
#include <postrider/outcome.hpp>
#include <postrider/worker.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::client {

/// The outcome of an exception that left a handler, by the first rule that applies:
///   the handler's lists of classes, and honour_terminal, as in judged();
///   an outcome_error is the outcome it carries;
///   the handler's lists decide, transient_errors before terminal_errors;
///   a terminal_error is terminal;
///   with `session_lost`, a lost connection or a commit in doubt of the session that the worker
///   gave to the handler interrupts the run: it is repeated after a second, uncharged;
///   a postrider::error with a SQLSTATE of class 22 or 23 (the data is wrong) is terminal;
///   anything else is transient.
/// The class of an error is "sqlstate:XXXXX" where there is one, otherwise the exception's type.
/// Exported for postrider::testing, as reportable() is.
POSTRIDER_EXPORT outcome classify(const std::exception_ptr& thrown, const handler_options& options,
                                  bool session_lost = false);

/// Applies the handler's lists of classes to a failure, as the database will: the longest matching
/// entry decides, and without honour_terminal no failure is terminal.
POSTRIDER_EXPORT outcome judged(outcome how, const handler_options& options);

/// Whether a list of error classes has this one, or a prefix of it that ends in '*'.
bool is_listed(const std::vector<std::string>& classes, std::string_view error_class);

/// An outcome that the database accepts: texts in UTF-8 without zero bytes, of bounded length, and
/// a bounded delay.
POSTRIDER_EXPORT outcome reportable(outcome how);

}  // namespace postrider::client
