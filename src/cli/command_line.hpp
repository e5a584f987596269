#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace postrider::cli {

/// Whether the words of a command line ask for JSON: needed before they are understood.
bool asks_for_json(std::span<char*> words);

/// Says what is wrong with a command line, or prints the help it asks for; gives the exit code.
int refuse_command_line(const CLI::App& app, const CLI::ParseError& problem, bool json);

}  // namespace postrider::cli
