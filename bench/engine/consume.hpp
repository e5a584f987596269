#pragma once

#include <string>

namespace postrider::bench {

/// The task of a consumer process. The database comes from the PG* variables.
struct consume_options {
    std::string system;
    std::string mode;  ///< one of those below
    int batch = 1;
    int connections = 1;
    long long count = 0;
};

/// A consumer in a process of its own, so that its memory and its processor time can be measured
/// separately. Line protocol: it prints "ready" and waits for "go".
///   drain:    handles `count` messages, says "done <seconds>"
///   priority: the same, of messages that have priorities
///   failing:  the same, and each message fails once before
///   failing_stored: the same with a policy whose retries must be stored, for the worker only
///   due:      handles `count` messages that become due later, says "done <seconds since 1970>",
///   the
///             instant at which the last one was handled
///   arrivals: sleeps until messages come, says "arrived <number> <nanoseconds>" for each of
///             `count`, then "done"
///   stream:   handles incoming messages, prints "consumed <so far>" ten times a second
/// Ends when its stdin is closed.
void consume(const consume_options& options);

}  // namespace postrider::bench
