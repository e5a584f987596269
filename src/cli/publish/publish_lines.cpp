#include "cli/publish/publish_lines.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/publish.hpp>
#include <postrider/transaction.hpp>
#include <vector>

#include "cli/interruption.hpp"
#include "cli/output/progress_bar.hpp"
#include "cli/publish/message_line.hpp"
#include "migrate/recorded.hpp"

namespace postrider::cli {
namespace {

constexpr std::size_t batch_messages_max = 5000;
constexpr std::size_t batch_bytes_max = std::size_t{8} << 20U;

/// Messages that are sent together, and their line numbers.
struct batch {
    std::vector<message> messages;
    std::int64_t first_line = 0;
    std::int64_t last_line = 0;
};

/// Reads a file batch by batch.
class line_reader {
  public:
    line_reader(const std::string& name, const message& defaults)
        : name_(name == "-" ? "standard input" : name), defaults_(defaults) {
        if (name != "-") {
            file_.open(name, std::ios::binary);
            if (!file_) {
                throw usage_error("cannot read " + name + ": " + std::strerror(errno));
            }
        }
    }

    const std::string& name() const { return name_; }
    std::int64_t bytes_read() const { return bytes_; }

    /// Empty at the end of the file.
    batch next() {
        batch found;
        auto& from = name_ == "standard input" && !file_.is_open() ? std::cin : file_;
        std::string line;
        for (std::size_t bytes = 0; found.messages.size() < batch_messages_max &&
                                    bytes < batch_bytes_max && std::getline(from, line);
             bytes += line.size()) {
            ++line_;
            bytes_ += static_cast<std::int64_t>(line.size()) + 1;
            if (line.find_first_not_of(" \t\r") == std::string::npos) {
                continue;
            }
            found.messages.push_back(read(line));
            found.first_line = found.first_line == 0 ? line_ : found.first_line;
            found.last_line = line_;
        }
        if (from.bad()) {
            throw usage_error("cannot read " + name_ + ": " + std::strerror(errno));
        }
        return found;
    }

  private:
    message read(const std::string& line) const {
        try {
            return message_from_line(line, defaults_);
        } catch (const error& problem) {
            throw usage_error(problem.code(),
                              name_ + ", line " + std::to_string(line_) + ": " + problem.what());
        }
    }

    std::string name_;
    const message& defaults_;
    std::ifstream file_;
    std::int64_t line_ = 0;
    std::int64_t bytes_ = 0;
};

std::optional<std::int64_t> size_of(const std::string& file) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    return unknown || file == "-" ? std::nullopt : std::optional(static_cast<std::int64_t>(size));
}

// With one commit per batch, all lines of a file are checked before the first commit. A stream can
// be read only once and is not checked.
void check_beforehand(const lines_request& asked) {
    if (!asked.commit_batches || !std::filesystem::is_regular_file(asked.file)) {
        return;
    }
    line_reader lines(asked.file, asked.defaults);
    while (!lines.next().messages.empty()) {
    }
}

void send(transaction& within, const batch& some, const std::string& name) {
    try {
        publish_many(within, some.messages);
    } catch (const usage_error& problem) {
        throw usage_error(problem.code(), name + ", lines " + std::to_string(some.first_line) +
                                              " to " + std::to_string(some.last_line) + ": " +
                                              problem.what());
    }
}

// Adds the number of messages published so far to an error.
template <typename Work>
void with_committed_count(const std::atomic<std::int64_t>& committed, Work&& work) {
    try {
        work();
    } catch (const error& problem) {
        if (committed == 0) {
            throw;
        }
        throw error(problem.code(),
                    std::string(problem.what()) + " (" + std::to_string(committed) +
                        " messages before it are published)",
                    {.sqlstate = problem.sqlstate(),
                     .operation = problem.operation(),
                     .retryable = problem.retryable(),
                     .connection_lost = problem.connection_lost()});
    }
}

}  // namespace

std::vector<message> read_lines(const std::string& file, const message& defaults) {
    line_reader lines(file, defaults);
    std::vector<message> all;
    for (auto some = lines.next(); !some.messages.empty(); some = lines.next()) {
        std::ranges::move(some.messages, std::back_inserter(all));
    }
    return all;
}

void require_schema(connection& session) {
    auto same = pg::connection::borrow(session.native());
    migrate::require_schema(same);
}

std::int64_t publish_lines(const lines_request& asked) {
    check_beforehand(asked);
    line_reader lines(asked.file, asked.defaults);
    progress_bar progress(size_of(asked.file), !asked.json);
    connection database(asked.database);
    require_schema(database);
    std::optional<transaction> work;
    std::int64_t count = 0;
    std::atomic<std::int64_t> committed = 0;
    std::timed_mutex committing;
    std::optional<interruption> interrupted;
    if (asked.commit_batches) {
        interrupted.emplace(committed, committing, asked.json);
    }
    const auto commit = [&] {
        if (work) {
            const std::lock_guard busy(committing);
            work->commit();
            work.reset();
            committed = count;
        }
    };
    with_committed_count(committed, [&] {
        for (auto some = lines.next(); !some.messages.empty(); some = lines.next()) {
            if (!work) {
                work.emplace(database);
            }
            send(*work, some, lines.name());
            count += static_cast<std::int64_t>(some.messages.size());
            if (asked.commit_batches) {
                commit();
            }
            progress.show(lines.bytes_read(), count);
        }
        commit();
    });
    return count;
}

}  // namespace postrider::cli
