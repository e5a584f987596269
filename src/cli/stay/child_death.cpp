// The end of a child: which of its messages is charged with it.
#include <fmt/core.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "cli/stay/child.hpp"

namespace postrider::cli {

child::~child() {
    if (leader_ > 0) {
        ::kill(-leader_, SIGKILL);
        reap();
    }
}

outcome child::reason(int status) const {
    switch (why_) {
        case ending::interrupted:
            return {outcome_kind::interrupted, why_text_, "stopped", {}};
        case ending::timeout:
            return transient(why_text_, "timeout");
        case ending::protocol:
            return transient("broke the child protocol: " + why_text_, "protocol_error");
        case ending::itself:
            break;
    }
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return transient(fmt::format("killed by signal {} ({})", signal, ::strsignal(signal)),
                         fmt::format("signal:{}", signal));
    }
    const int code = WEXITSTATUS(status);
    return transient(fmt::format("exited with {}", code), fmt::format("exit:{}", code));
}

// The first messages that it has not answered were running, as many as it runs at once.
void child::sort_out(death& made, bool killed) {
    if (killed || why_ == ending::interrupted) {
        for (auto& one : unanswered_) {
            made.interrupted.push_back(std::move(one.run));
        }
        return;
    }
    const auto begun = running();
    for (std::size_t i = 0; i < unanswered_.size(); ++i) {
        auto& one = unanswered_[i];
        if (one.run->batch->stop_requested) {
            made.interrupted.push_back(std::move(one.run));
        } else if (why_ == ending::timeout) {
            (one.number == timed_out_ ? made.charged : made.uncharged)
                .push_back(std::move(one.run));
        } else if (i >= begun) {
            made.uncharged.push_back(std::move(one.run));
        } else {
            (begun == 1 ? made.charged : made.suspects).push_back(std::move(one.run));
        }
    }
}

child::death child::reap() {
    read_errors(clock::now());
    log_.finish();
    // Before its process id is reused: background processes of one that was ended.
    if (why_ != ending::itself) {
        ::kill(-leader_, SIGKILL);
    }
    int status = 0;
    while (::waitpid(leader_, &status, 0) < 0 && errno == EINTR) {
    }
    running_.ended(std::exchange(leader_, -1));
    death made;
    made.how = reason(status);
    made.text = made.how.error;
    if (const auto said = tail_.text(); !said.empty()) {
        made.how.error += ": " + said;
    }
    sort_out(made, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && running_.killed());
    unanswered_.clear();
    return made;
}

}  // namespace postrider::cli
