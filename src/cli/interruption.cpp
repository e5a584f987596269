#include "cli/interruption.hpp"

#include <unistd.h>

#include <chrono>

#include "base/json/json.hpp"
#include "cli/dead_letters/follow_replay.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

[[noreturn]] void tell_and_end(std::int64_t committed, bool sure, bool json) {
    const auto text = fmt::format("interrupted; {} {} published{}", counted(committed, "message"),
                                  committed == 1 ? "is" : "are",
                                  sure ? "" : ", and possibly those that were being committed");
    if (json) {
        json_object report;
        report.add("error", "interrupted").add("message", text).add("count", committed);
        say("{}\n", report.text());
    } else {
        say("{}postrider: {}\n", is_terminal(STDERR_FILENO) ? "\r\x1b[K" : "", text);
    }
    ::_exit(interrupted_exit);
}

}  // namespace

interruption::interruption(const std::atomic<std::int64_t>& committed, std::timed_mutex& committing,
                           bool json)
    : thread_([this, &committed, &committing, json] {
          constexpr std::chrono::seconds lock_timeout{2};
          if (stop_.take(over_.descriptor())) {
              const bool sure = committing.try_lock_for(lock_timeout);
              tell_and_end(committed, sure, json);
          }
      }) {}

}  // namespace postrider::cli
