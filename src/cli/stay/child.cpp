#include "cli/stay/child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "base/child_process.hpp"
#include "cli/work/run_command.hpp"

namespace postrider::cli {
namespace {

constexpr auto never = child::clock::time_point::max();
constexpr auto hello_timeout = std::chrono::minutes(1);
// Work that may wait in a child behind running messages: enough to keep it busy.
constexpr double ahead_seconds = 0.002;
constexpr std::size_t unsent_max = std::size_t{4} << 20U;

}  // namespace

child::child(const settings& how, running_commands& running)
    : told_(how.hello), running_(running), log_(how.log), unsent_(hello_line(how.hello)) {
    auto input = make_pipe();
    auto output = make_pipe();
    auto errors = make_pipe();
    const spawn_options options{.arguments = how.arguments,
                                .environment = how.environment,
                                .input = input.read.get(),
                                .output = output.write.get(),
                                .errors = errors.write.get(),
                                .signal_on_parent_death = SIGTERM,
                                .process_group = true,
                                .restore_ignored_signals = true,
                                .close_descriptors = true};
    leader_ = running_.start([&] { return spawn(options); });
    if (leader_ < 0) {
        return;
    }
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const int ours : {input_.get(), output_.get(), errors_.get()}) {
        ::fcntl(ours, F_SETFL, O_NONBLOCK);
    }
    exit_ = descriptor(static_cast<int>(::syscall(SYS_pidfd_open, leader_, 0)));
    if (exit_.get() < 0) {
        const int problem = errno;
        ::kill(-leader_, SIGKILL);
        reap();
        throw std::system_error(problem, std::generic_category(), "pidfd_open");
    }
    term_at_ = clock::now() + hello_timeout;
}

void child::add_sources(std::vector<pollfd>& to) const {
    to.push_back({exit_.get(), POLLIN, 0});
    to.push_back({output_.get(), POLLIN, 0});
    to.push_back({errors_.get(), POLLIN, 0});
    to.push_back({unsent_.empty() ? -1 : input_.get(), POLLOUT, 0});
}

bool child::handle(const pollfd* sources, clock::time_point now) {
    if (sources[2].revents != 0) {
        read_errors(now);
    }
    // Answers that it gave before its end count.
    if (sources[1].revents != 0 || sources[0].revents != 0) {
        read_lines(now);
    }
    if (sources[3].revents != 0) {
        write_lines();
    }
    return sources[0].revents != 0;
}

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
            // It reads no more: the messages that it has not answered are sorted out at its end.
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

void child::read_lines(clock::time_point now) {
    constexpr int reads_max = 16;
    static thread_local std::array<char, 65536> buffer;
    for (int reads = 0; reads < reads_max && output_.get() >= 0; ++reads) {
        const auto count = ::read(output_.get(), buffer.data(), buffer.size());
        if (count > 0) {
            received_.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0) {
            output_.close();
            term_at_ = std::min(term_at_, now + std::chrono::seconds(1));
        } else if (errno != EINTR) {
            break;
        }
        if (count < static_cast<ssize_t>(buffer.size()) && count > 0) {
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
        term_at_ = never;
    }
    for (auto& one : read.outcomes) {
        answer(std::move(one));
    }
    if (read.extended) {
        if (const auto found = find(*read.extended); found != unanswered_.end()) {
            found->deadline = now + told_.timeout;
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

std::size_t child::running() const {
    return std::min(unanswered_.size(), static_cast<std::size_t>(hello_ ? hello_->concurrency : 1));
}

// A child runs the first messages that it has not answered; the others wait in it.
void child::begin_runs(clock::time_point now) {
    const auto count = running();
    for (std::size_t i = 0; i < count; ++i) {
        if (unanswered_[i].deadline == never) {
            unanswered_[i].deadline = now + told_.timeout;
        }
    }
}

std::size_t child::room() const {
    if (!hello_ || why_ != ending::itself || closing_ || alone_ || input_.get() < 0 ||
        output_.get() < 0 || unsent_.size() > unsent_max) {
        return 0;
    }
    auto most = static_cast<std::size_t>(hello_->concurrency);
    if (seconds_per_message_ > 0) {
        most += static_cast<std::size_t>(ahead_seconds / std::max(seconds_per_message_, 1e-7));
    }
    most = std::min(most, static_cast<std::size_t>(told_.in_flight_max));
    return most - std::min(most, unanswered_.size());
}

void child::send(const std::vector<run_ref>& runs, std::uint64_t& next_number,
                 clock::time_point now) {
    if (unanswered_.empty()) {
        answered_at_ = now;
    }
    const auto in_line = hello_->batch > 0 ? static_cast<std::size_t>(hello_->batch) : runs.size();
    std::string objects;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto number = next_number++;
        objects += (objects.empty() ? "" : ",") + with_run(number, runs[i]->message);
        unanswered_.push_back({number, runs[i]});
        alone_ = alone_ || runs[i]->alone;
        if ((i + 1) % in_line == 0 || i + 1 == runs.size()) {
            unsent_ += messages_line(objects);
            objects.clear();
        }
    }
    begin_runs(now);
    write_lines();
}

bool child::cancel_stopped_runs() {
    bool any = false;
    for (auto& one : unanswered_) {
        if (one.run->batch->stop_requested) {
            any = true;
            if (!std::exchange(one.cancelled, true)) {
                unsent_ += cancel_line(one.number);
            }
        }
    }
    write_lines();
    return any;
}

void child::notify_stop() {
    if (hello_ && !closing_) {
        unsent_ += stop_line();
        write_lines();
    }
}

void child::close(clock::time_point now) {
    if (!closing_) {
        closing_ = true;
        term_at_ = std::min(term_at_, now + command_grace);
        write_lines();
    }
}

void child::interrupt(clock::time_point now) {
    end(ending::interrupted, "stopped before it finished", now);
}

void child::end(ending why, std::string text, clock::time_point now) {
    if (why_ == ending::itself) {
        why_ = why;
        why_text_ = std::move(text);
        term_at_ = std::min(term_at_, now);
        act(now);
    }
}

child::clock::time_point child::next_at() const {
    auto next = std::min(term_at_, kill_at_);
    const auto count = why_ == ending::itself ? running() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        next = std::min(next, unanswered_[i].deadline);
    }
    return next;
}

void child::act(clock::time_point now) {
    const auto count = why_ == ending::itself ? running() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (now >= unanswered_[i].deadline) {
            timed_out_ = unanswered_[i].number;
            end(ending::timeout,
                fmt::format("timed out after {:g} s",
                            std::chrono::duration<double>(told_.timeout).count()),
                now);
            return;
        }
    }
    if (now >= term_at_) {
        if (!hello_ && why_ == ending::itself) {
            why_ = ending::protocol;
            why_text_ = "no hello in time";
        }
        term_at_ = never;
        kill_at_ = now + command_grace;
        ::kill(-leader_, SIGTERM);
    }
    if (now >= kill_at_) {
        kill_at_ = never;
        ::kill(-leader_, SIGKILL);
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
