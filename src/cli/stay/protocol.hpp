#pragma once

#include <cstdint>
#include <optional>
#include <postrider/worker.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::cli {

/// The protocol of a child, docs/reference/child-protocol.md: one JSON object per line.
inline constexpr int child_protocol = 1;
/// Maximum bytes of a line that a child writes.
inline constexpr std::size_t child_line_max = std::size_t{1} << 20U;
/// Maximum bytes of a result.
inline constexpr std::size_t child_result_max = 16384;

/// A line violates the protocol.
class protocol_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The properties that a child declares in its hello.
struct child_hello {
    int concurrency = 1;  ///< messages that it runs at once; it begins them in the order sent
    int batch = 0;        ///< messages in one line; 0: any number
};

struct child_outcome {
    std::uint64_t run = 0;
    outcome how = {};
    std::optional<std::string> result = {};  ///< JSON, of a run that was delivered
};

struct child_progress {
    std::uint64_t run = 0;
    double fraction = 0;
    std::string text = {};
};

/// One line of a child.
struct child_line {
    std::optional<child_hello> hello = {};
    std::vector<child_outcome> outcomes = {};
    std::optional<std::uint64_t> extended = {};  ///< the run whose timeout begins again
    std::optional<child_progress> progress = {};
};

/// Throws protocol_error.
child_line read_child_line(std::string_view line);

struct worker_hello {
    std::string consumer = {};
    std::string handler = {};
    int child = 1;
    int in_flight_max = 1;
    std::chrono::milliseconds timeout = {};
};
/// The first line that a child gets.
std::string hello_line(const worker_hello& hello);

/// A message as a JSON object in one line, without the number of its run.
std::string message_text(const event& message, const postrider::context& run);
/// The object with the number of its run.
std::string with_run(std::uint64_t run, std::string_view message);
std::string messages_line(std::string_view objects);
/// The line that asks a child to finish the messages that it has begun.
std::string stop_line();
/// The line that tells a child that the outcome of one run is ignored.
std::string cancel_line(std::uint64_t run);

}  // namespace postrider::cli
