// The pipes of a child: lines to its stdin, lines from its stdout and stderr.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "cli/stay/child.hpp"

namespace postrider::cli {
void child::write_lines() {
    std::size_t written = 0;
    while (input_.get() >= 0 && written < unsent_.size()) {
        const auto count =
            ::write(input_.get(), unsent_.data() + written, unsent_.size() - written);
        if (count >= 0) {
            written += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            // It has closed its stdin: the messages that it has not answered are handled at its
            // end.
            input_.close();
            unsent_.clear();
            term_at_ = std::min(term_at_, clock::now() + std::chrono::seconds(1));
            return;
        }
    }
    unsent_.erase(0, written);
    if (closing_ && unsent_.empty()) {
        input_.close();
    }
}

void child::read_lines(clock::time_point now, int reads) {
    std::array<char, 65536> buffer;  // not thread_local: threads of libraries have small stacks
    while (reads-- > 0 && output_.get() >= 0) {
        const auto count = ::read(output_.get(), buffer.data(), buffer.size());
        if (count > 0) {
            received_.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0) {
            output_.close();
            term_at_ = std::min(term_at_, now + std::chrono::seconds(1));
        } else if (errno != EINTR) {
            break;
        }
    }
    std::size_t begin = 0;
    const auto before = unanswered_.size();
    try {
        for (auto end = received_.find('\n'); end != std::string::npos;
             end = received_.find('\n', begin)) {
            if (end - begin > child_line_max) {
                break;
            }
            take_line(std::string_view(received_).substr(begin, end - begin), now);
            begin = end + 1;
        }
        received_.erase(0, begin);
        if (received_.size() > child_line_max) {
            throw protocol_error(fmt::format("a line has more than {} bytes", child_line_max));
        }
    } catch (const protocol_error& problem) {
        received_.clear();
        output_.close();
        end(ending::protocol, problem.what(), now);
    }
    learn(before - unanswered_.size(), now);
    begin_runs(now);
}

void child::take_line(std::string_view line, clock::time_point now) {
    if (line.empty()) {
        return;
    }
    auto read = read_child_line(line);
    if (hello_.has_value() == read.hello.has_value()) {
        throw protocol_error(hello_ ? "a second hello" : "the first line is not a hello");
    }
    if (read.hello) {
        hello_ = read.hello;
        hello_by_ = never;
    }
    for (auto& one : read.outcomes) {
        answer(std::move(one));
    }
    if (read.extended) {
        if (const auto found = find(*read.extended); found != unanswered_.end()) {
            found->deadline = now + worker_hello_.timeout;
        }
    }
    if (read.progress) {
        if (const auto found = find(read.progress->run); found != unanswered_.end()) {
            found->run->batch->progress(*found->run, read.progress->fraction, read.progress->text);
        }
    }
}

std::deque<child::sent_run>::iterator child::find(std::uint64_t number) {
    const auto found = std::ranges::lower_bound(unanswered_, number, {}, &sent_run::number);
    return found != unanswered_.end() && found->number == number ? found : unanswered_.end();
}

void child::answer(child_outcome answered) {
    const auto found = find(answered.run);
    if (found == unanswered_.end()) {
        throw protocol_error(
            fmt::format("an outcome of run {}, which it does not have", answered.run));
    }
    if (answered.run == timed_out_) {
        return;  // too late: its process is being ended
    }
    const auto run = std::move(found->run);
    unanswered_.erase(found);
    alone_ = false;
    has_answered_ = true;
    if (answered.result) {
        run->batch->result(*run, *answered.result);
    }
    run->batch->complete(*run, std::move(answered.how));
}

// The time per message, from answers that follow each other.
void child::learn(std::size_t answered, clock::time_point now) {
    if (answered > 0) {
        const std::chrono::duration<double> spent = now - answered_at_;
        const double observed = spent.count() / static_cast<double>(answered);
        seconds_per_message_ += (observed - seconds_per_message_) *
                                (seconds_per_message_ == 0 || answered > 4 ? 1 : 0.2);
        answered_at_ = now;
    }
}

void child::read_errors(clock::time_point now) {
    constexpr int reads_max = 16;
    std::array<char, 4096> buffer{};
    for (int reads = 0; reads < reads_max && errors_.get() >= 0; ++reads) {
        const auto count = ::read(errors_.get(), buffer.data(), buffer.size());
        if (count > 0) {
            const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
            tail_.add(text);
            log_.add(text, now);
        } else if (count == 0) {
            errors_.close();
        } else if (errno != EINTR) {
            return;
        }
    }
}

}  // namespace postrider::cli
