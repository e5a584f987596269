#include "cli/work/exec/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "cli/work/exec/error_tail.hpp"
#include "worker/wake_event.hpp"

namespace postrider::cli {
namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void throw_system_error(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

/// One command from its start to its end.
class command_run {
  public:
    command_run(const command_request& asked, running_commands& running)
        : asked_(asked), running_(running), rest_(asked.input) {}
    command_run(const command_run&) = delete;
    command_run& operator=(const command_run&) = delete;
    ~command_run() {
        if (leader_ > 0) {
            ::kill(-leader_, SIGKILL);
            reap();
        }
    }

    command_end to_end() {
        if (!start()) {
            return {.why = command_end::reason::stop};
        }
        const std::stop_callback on_stop(asked_.stop, [this] { stop_.set(); });
        while (!wait_for_something()) {
            end_if_it_must();
        }
        read_errors();
        const int status = reap();
        return {.why = why_,
                .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                .errors = kept_.text()};
    }

  private:
    bool start() {
        auto input = make_pipe();
        auto errors = make_pipe();
        const auto nothing = null_device();
        const spawn_options options{.arguments = asked_.arguments,
                                    .environment = asked_.environment,
                                    .input = input.read.get(),
                                    .output = asked_.quiet ? nothing.get() : STDERR_FILENO,
                                    .errors = errors.write.get(),
                                    .signal_on_parent_death = SIGTERM,
                                    .process_group = true,
                                    .restore_ignored_signals = true,
                                    .close_descriptors = true};
        leader_ = running_.start([&] { return spawn(options); });
        if (leader_ < 0) {
            return false;
        }
        input_ = std::move(input.write);
        errors_ = std::move(errors.read);
        for (const int ours : {input_.get(), errors_.get()}) {
            ::fcntl(ours, F_SETFL, O_NONBLOCK);
        }
        exit_ = descriptor(static_cast<int>(::syscall(SYS_pidfd_open, leader_, 0)));
        if (exit_.get() < 0) {
            throw_system_error("pidfd_open");
        }
        return true;
    }

    // True when the command has ended.
    bool wait_for_something() {
        write_input();
        std::array<pollfd, 4> sources{pollfd{exit_.get(), POLLIN, 0},
                                      pollfd{errors_.get(), POLLIN, 0},
                                      pollfd{input_.get(), POLLOUT, 0},
                                      pollfd{ending() ? -1 : stop_.descriptor(), POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            (ending() ? kill_at_ : asked_.deadline) - clock::now());
        const auto timeout_ms = std::clamp<std::int64_t>(left.count(), 0, 60'000);
        if (::poll(sources.data(), sources.size(), static_cast<int>(timeout_ms)) < 0) {
            if (errno == EINTR) {
                return false;
            }
            throw_system_error("poll");
        }
        if (sources[1].revents != 0) {
            read_errors();
        }
        stop_asked_ = stop_asked_ || sources[3].revents != 0;
        return sources[0].revents != 0;
    }

    bool ending() const { return why_ != command_end::reason::itself; }

    void end_if_it_must() {
        const auto now = clock::now();
        if (!ending() && (stop_asked_ || now >= asked_.deadline)) {
            why_ = stop_asked_ ? command_end::reason::stop : command_end::reason::timeout;
            kill_at_ = now + command_grace;
            ::kill(-leader_, SIGTERM);
        } else if (ending() && now >= kill_at_) {
            kill_at_ = clock::time_point::max();
            ::kill(-leader_, SIGKILL);
        }
    }

    void write_input() {
        while (input_.get() >= 0 && !rest_.empty()) {
            const auto count = ::write(input_.get(), rest_.data(), rest_.size());
            if (count >= 0) {
                rest_.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno == EAGAIN) {
                return;
            } else if (errno != EINTR) {
                break;  // the command does not read its input, which is allowed
            }
        }
        input_.close();
    }

    // Reads the available bytes only: a background process may keep the pipe open.
    // At most one pipe buffer: a command that never stops writing must not exceed its deadline.
    void read_errors() {
        constexpr int reads_max = 16;
        std::array<char, 4096> buffer{};
        for (int reads = 0; reads < reads_max && errors_.get() >= 0; ++reads) {
            const auto count = ::read(errors_.get(), buffer.data(), buffer.size());
            if (count > 0) {
                keep({buffer.data(), static_cast<std::size_t>(count)});
            } else if (count == 0) {
                errors_.close();
            } else if (errno != EINTR) {
                return;
            }
        }
    }

    void keep(std::string_view text) {
        kept_.add(text);
        while (!asked_.quiet && !text.empty()) {
            const auto count = ::write(STDERR_FILENO, text.data(), text.size());
            if (count < 0 && errno != EINTR) {
                return;
            }
            text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
        }
    }

    // Before the leader's process id is reused: kills its remaining process group if it was ended.
    int reap() {
        if (ending()) {
            ::kill(-leader_, SIGKILL);
        }
        int status = 0;
        while (::waitpid(leader_, &status, 0) < 0 && errno == EINTR) {
        }
        running_.ended(std::exchange(leader_, -1));
        return status;
    }

    const command_request& asked_;
    running_commands& running_;
    pid_t leader_ = -1;
    descriptor exit_;
    descriptor input_;
    descriptor errors_;
    std::string_view rest_;
    error_tail kept_;
    working::wake_event stop_;
    bool stop_asked_ = false;
    command_end::reason why_ = command_end::reason::itself;
    clock::time_point kill_at_ = {};
};

}  // namespace

command_end run_command(const command_request& asked, running_commands& running) {
    try {
        return command_run(asked, running).to_end();
    } catch (const exec_error& problem) {
        // Exit codes as in a shell.
        const int refusal = problem.code().value();
        return {
            .status = refusal == ENOENT ? 127 : 126, .errors = problem.what(), .refusal = refusal};
    }
}

}  // namespace postrider::cli
