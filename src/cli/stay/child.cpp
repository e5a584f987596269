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
#include "cli/work/exec/run_command.hpp"

namespace postrider::cli {
namespace {

constexpr auto hello_timeout = std::chrono::minutes(1);
// Seconds of work that may wait in a child behind running messages, to keep it busy.
constexpr double ahead_seconds = 0.002;
constexpr std::size_t unsent_max = std::size_t{4} << 20U;

}  // namespace

child::child(const settings& how, running_commands& running)
    : worker_hello_(how.hello), running_(running), unsent_(hello_line(how.hello)), log_(how.log) {
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
    hello_by_ = clock::now() + hello_timeout;
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
    // One read per turn, so that a child that writes without end does not delay the others. Answers
    // that it wrote before it ended count: a pipe holds at most a megabyte.
    if (const bool ended = sources[0].revents != 0; ended || sources[1].revents != 0) {
        read_lines(now, ended ? 17 : 1);
    }
    if (sources[3].revents != 0) {
        write_lines();
    }
    return sources[0].revents != 0;
}

std::size_t child::running() const {
    return std::min(unanswered_.size(), static_cast<std::size_t>(hello_ ? hello_->concurrency : 1));
}

// A child runs the first messages that it has not answered; the others wait in it.
void child::begin_runs(clock::time_point now) {
    const auto count = running();
    for (std::size_t i = 0; i < count; ++i) {
        if (unanswered_[i].deadline == never) {
            unanswered_[i].deadline = now + worker_hello_.timeout;
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
    most = std::min(most, static_cast<std::size_t>(worker_hello_.in_flight_max));
    // One line with many messages is cheaper than many lines, so more are sent when half are
    // answered.
    if (unanswered_.size() > running() && unanswered_.size() > most / 2) {
        return 0;
    }
    return most - std::min(most, unanswered_.size());
}

std::chrono::duration<double> child::work_ahead() const {
    return std::chrono::duration<double>(static_cast<double>(unanswered_.size() - running()) *
                                         seconds_per_message_);
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
        any = any || one.run->batch->stop_requested;
        if (one.run->batch->stopped(*one.run) && !std::exchange(one.cancelled, true)) {
            unsent_ += cancel_line(one.number);
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
    auto next = std::min({hello_by_, term_at_, kill_at_});
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
                            std::chrono::duration<double>(worker_hello_.timeout).count()),
                now);
            return;
        }
    }
    if (now >= std::min(hello_by_, term_at_)) {
        if (!hello_ && why_ == ending::itself) {
            why_ = ending::protocol;
            why_text_ = "no hello in time";
        }
        hello_by_ = never;
        term_at_ = never;
        kill_at_ = now + command_grace;
        ::kill(-leader_, SIGTERM);
    }
    if (now >= kill_at_) {
        kill_at_ = never;
        ::kill(-leader_, SIGKILL);
    }
}

}  // namespace postrider::cli
