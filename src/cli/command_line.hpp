#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace postrider::cli {

/// Whether a command line contains --json; needed for errors before it is parsed.
bool asks_for_json(std::span<char*> words);

/// Reports the error in a command line, or prints the requested help; returns the exit code.
int refuse_command_line(const CLI::App& app, const CLI::ParseError& problem, bool json);

}  // namespace postrider::cli
