#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <mutex>

#include "cli/stay/child_host.hpp"
#include "cli/work/exec/envelope_variables.hpp"
#include "support/eventually.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {

/// Children under a host, and messages for them that need no database.
class host_fixture : public ::testing::Test {
  protected:
    host_fixture() { std::signal(SIGPIPE, SIG_IGN); }

    struct shape {
        int children = 1;
        int in_flight = 64;
        std::chrono::milliseconds timeout = std::chrono::seconds(30);
    };

    /// A host of this command line, not started.
    std::shared_ptr<cli::child_host> host(const std::string& command, shape of) {
        cli::child_host::settings chosen;
        chosen.arguments = {"/bin/sh", "-c", command};
        chosen.environment = cli::command_environment(false);
        chosen.consumer = "office";
        chosen.handler = "office.exec";
        chosen.children = of.children;
        chosen.in_flight_max = of.in_flight;
        chosen.timeout = of.timeout;
        chosen.stderr_line = [this](int, std::string_view line) { note("stderr", line); };
        chosen.report = [this](level, std::string_view state, const std::string& text) {
            note(state, text);
        };
        return std::make_shared<cli::child_host>(std::move(chosen),
                                                 std::make_shared<cli::running_commands>());
    }
    /// A started host.
    std::shared_ptr<cli::child_host> started(const std::string& command, shape of) {
        auto made = host(command, of);
        EXPECT_TRUE(made->start(-1));
        return made;
    }

    struct run_of {
        std::vector<outcome> outcomes;
        std::vector<std::string> recorded;  ///< index, and progress or result
        std::vector<std::string> words() const {
            std::vector<std::string> all;
            for (const auto& one : outcomes) {
                all.push_back(std::string(to_string(one.kind)) +
                              (one.error_class.empty() ? "" : " " + one.error_class));
            }
            return all;
        }
    };
    using early_function = std::function<void(std::size_t, outcome)>;
    /// Handles messages with these payloads as one batch.
    static run_of handle(cli::child_host& by, const std::vector<std::string>& payloads,
                         std::stop_token stop = {}, const early_function* early = nullptr) {
        std::vector<event> events;
        for (std::size_t i = 0; i < payloads.size(); ++i) {
            event_fields fields;
            fields.id[14] = static_cast<std::uint8_t>(i >> 8U);
            fields.id[15] = static_cast<std::uint8_t>(i & 0xFFU);
            fields.event_type = "order.placed";
            fields.source = "shop";
            fields.payload = payloads[i];
            events.emplace_back(fields);
        }
        run_of done;
        std::mutex mutex;
        const std::function<void(std::size_t, job_progress)> record = [&](std::size_t index,
                                                                          job_progress made) {
            const std::lock_guard lock(mutex);
            done.recorded.push_back(
                std::to_string(index) +
                (made.fraction ? " " + std::to_string(*made.fraction).substr(0, 3) : "") +
                (made.text ? " " + *made.text : "") + (made.result ? " " + *made.result : ""));
        };
        context run({.handler = "office.exec",
                     .stop = std::move(stop),
                     .report = early,
                     .record = &record});
        done.outcomes = by.handle(events, run);
        return done;
    }

    void note(std::string_view state, std::string_view text) {
        const std::lock_guard lock(mutex_);
        notes_.push_back(std::string(state) + ": " + std::string(text));
    }
    int count_notes(const std::string& part) const {
        const std::lock_guard lock(mutex_);
        int found = 0;
        for (const auto& one : notes_) {
            found += one.find(part) != std::string::npos ? 1 : 0;
        }
        return found;
    }
    bool noted(const std::string& part) const {
        return eventually([&] { return count_notes(part) > 0; });
    }

    std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
    bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
    void touch(const std::string& name) const { std::ofstream(path(name)) << "x"; }

    /// A serial child in shell: `body` handles the message in $line, whose number is $run.
    std::string shell_child(const std::string& body,
                            const std::string& hello = R"("batch":1)") const {
        return "dir=" + scratch_.path().string() + R"(
            answer() { echo '{"type":"outcome","run":'$run',"outcome":"'$1'"'$2'}'; }
            await() { while [ ! -e $dir/$1 ]; do sleep 0.02; done; }
            read -r hello; echo '{"type":"hello","protocol":1,)" +
               hello + R"(}'
            while read -r line; do
                case $line in *'"messages"'*) ;; *) continue ;; esac
                run=${line#*'"run":'}; run=${run%%,*}
                payload=${line##*'"payload":"'}; payload=${payload%%'"'*}
                case $payload in )" +
               body + R"( *) answer delivered ;; esac
            done)";
    }

  private:
    scratch_directory scratch_;
    mutable std::mutex mutex_;
    std::vector<std::string> notes_;
};

}  // namespace postrider::test
