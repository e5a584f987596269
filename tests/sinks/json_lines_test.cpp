#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <postrider/error.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sinks/records.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {
namespace {

using nlohmann::json;

std::vector<json> parse_lines(const std::string& text) {
    std::vector<json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(json::parse(line));
    }
    return lines;
}

class json_lines_test : public testing::Test {
  protected:
    std::shared_ptr<sink> open(json_lines_options options = {}) {
        options.to = file_;
        options.service = "shop";
        return json_lines_sink(options);
    }
    std::string written() const {
        std::ostringstream text;
        text << std::ifstream(file_).rdbuf();
        return text.str();
    }
    std::vector<json> lines() const { return parse_lines(written()); }

    scratch_directory place_;
    std::string file_ = place_.path() / "log";
};

TEST_F(json_lines_test, a_publication_has_the_canonical_fields_and_its_own) {
    open()->published(a_publication());
    ASSERT_EQ(lines().size(), 1U);
    auto line = lines()[0];
    EXPECT_FALSE(line["host"].get<std::string>().empty());
    line.erase("host");
    EXPECT_EQ(line, json::parse(R"({
        "time": "2030-05-17T12:00:00.034567Z", "level": "info", "message": "published",
        "service": "shop", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "span_id": "00f067aa0ba902b7", "event_id": "01890a5d-ac96-774b-bcce-b302099a8057",
        "event_type": "order.placed", "source": "shop", "target": "billing",
        "workspace_id": "01890a5d-ac96-774b-bcce-b302099a8058", "channel": "outbox_default"})"));
}

TEST_F(json_lines_test, a_run_says_how_it_ended) {
    open()->handled(a_failed_run());
    auto line = lines().at(0);
    line.erase("host");
    EXPECT_EQ(line, json::parse(R"({
        "time": "2030-05-17T12:00:00.046912Z", "level": "warning", "message": "handled",
        "service": "shop", "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "span_id": "00f067aa0ba902b7", "event_id": "01890a5d-ac96-774b-bcce-b302099a8057",
        "event_type": "order.placed", "source": "shop", "target": null, "workspace_id": null,
        "consumer": "billing", "handler_name": "billing.send_invoice", "attempts": 2,
        "duration_ms": 12.345, "status_result": "transient", "error_class": "timeout",
        "error": "mail server did not answer"})"));
}

TEST_F(json_lines_test, a_time_beyond_the_clocks_is_its_last) {
    const auto log = open();
    auto run = a_run();
    run.duration = std::chrono::nanoseconds::max();
    log->handled(run);
    run.duration = std::chrono::nanoseconds::min();
    run.started_at = std::chrono::system_clock::time_point::min();
    log->handled(run);
    EXPECT_EQ(lines().at(0)["time"], "2262-04-11T23:47:16.854775Z");
    EXPECT_EQ(lines().at(1)["time"], "1677-09-21T00:12:43.145224Z");
}

TEST_F(json_lines_test, a_run_without_an_error_has_no_error_fields_and_an_untraced_one_null_ids) {
    auto run = a_run();
    run.trace = nullptr;
    open()->handled(run);
    const auto line = lines().at(0);
    EXPECT_FALSE(line.contains("error"));
    EXPECT_FALSE(line.contains("error_class"));
    EXPECT_TRUE(line.at("trace_id").is_null());
    EXPECT_TRUE(line.at("span_id").is_null());
}

TEST_F(json_lines_test, the_level_follows_how_a_run_ended) {
    const auto log = open({.least = level::debug});
    for (const auto* status :
         {"delivered", "duplicate", "snooze", "interrupted", "transient", "terminal"}) {
        log->handled(a_run(status));
    }
    std::vector<std::string> levels;
    for (const auto& line : lines()) {
        levels.push_back(line["level"]);
    }
    EXPECT_EQ(levels,
              (std::vector<std::string>{"info", "info", "info", "info", "warning", "error"}));
}

TEST_F(json_lines_test, successful_runs_can_be_left_out) {
    const auto log = open({.published = level::debug, .delivered = level::debug});
    log->published(a_publication());
    log->handled(a_run());
    log->handled(a_failed_run());
    ASSERT_EQ(lines().size(), 1U);
    EXPECT_EQ(lines()[0]["status_result"], "transient");
}

TEST_F(json_lines_test, a_change_of_state_is_a_line) {
    const auto log = open();
    log->state_changed({noon, level::error, "billing", "connection_lost", "server closed"});
    log->state_changed({noon, level::debug, "billing", "asleep", "too quiet to be said"});
    ASSERT_EQ(lines().size(), 1U);
    const auto line = lines()[0];
    EXPECT_EQ(line["level"], "error");
    EXPECT_EQ(line["state"], "connection_lost");
    EXPECT_EQ(line["message"], "server closed");
    EXPECT_EQ(line["consumer"], "billing");
}

TEST_F(json_lines_test, an_error_of_any_content_stays_one_short_line) {
    const auto log = open();
    const std::vector<std::string> texts{"\"quoted\"\n{\"level\": \"forged\"}\r\n",
                                         std::string("zero\0byte", 9),
                                         "not utf-8: \xff\xfe\xc3(",
                                         std::string(1'000'000, 'x'),
                                         std::string(100'000, '\x01'),
                                         "ünï" + std::string(996, 'x') + "ü"};
    for (const auto& text : texts) {
        log->handled(a_failed_run(text));
    }
    std::istringstream stream(written());
    std::size_t count = 0;
    for (std::string line; std::getline(stream, line); ++count) {
        EXPECT_LT(line.size(), 4096U);
        EXPECT_EQ(json::parse(line)["level"], "warning");
    }
    EXPECT_EQ(count, texts.size());
    EXPECT_EQ(lines()[0]["error"], texts[0]);
}

TEST_F(json_lines_test, lines_of_many_threads_stay_whole) {
    constexpr std::size_t threads = 4;
    constexpr std::size_t each = 250;
    const auto log = open();
    {
        std::vector<std::jthread> writers;
        for (std::size_t i = 0; i < threads; ++i) {
            writers.emplace_back([&] {
                for (std::size_t n = 0; n < each; ++n) {
                    log->published(a_publication());
                    log->handled(a_failed_run());
                }
            });
        }
    }
    EXPECT_EQ(lines().size(), 2 * threads * each);
}

TEST_F(json_lines_test, a_file_that_is_full_gives_way_to_the_next) {
    const auto log = open({.rotate_bytes = 2000, .rotate_files = 2});
    for (int i = 0; i < 50; ++i) {
        log->published(a_publication());
    }
    EXPECT_LT(std::filesystem::file_size(file_), 2000U);
    EXPECT_TRUE(std::filesystem::exists(file_ + ".2"));
    EXPECT_FALSE(std::filesystem::exists(file_ + ".3"));
}

TEST_F(json_lines_test, a_file_that_cannot_be_opened_is_refused_at_once) {
    file_ = "/proc/no/such/place";
    try {
        open();
        FAIL() << "opened";
    } catch (const error& problem) {
        EXPECT_EQ(problem.code(), errc::config_invalid);
    }
}

// The process's own stdout leads into a pipe while this lives.
class captured_stdout {
  public:
    captured_stdout() {
        EXPECT_EQ(::pipe(ends_.data()), 0);
        saved_ = ::dup(STDOUT_FILENO);
        ::dup2(ends_[1], STDOUT_FILENO);
        ::close(ends_[1]);
    }
    captured_stdout(const captured_stdout&) = delete;
    captured_stdout& operator=(const captured_stdout&) = delete;
    ~captured_stdout() {
        restore();
        leave();
    }
    void restore() {
        if (saved_ >= 0) {
            ::dup2(saved_, STDOUT_FILENO);
            ::close(std::exchange(saved_, -1));
        }
    }
    // The reader goes away.
    void leave() {
        if (ends_[0] >= 0) {
            ::close(std::exchange(ends_[0], -1));
        }
    }
    std::string read_some() {
        std::string all(1U << 20U, '\0');
        const auto got = ::read(ends_[0], all.data(), all.size());
        all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return all;
    }

  private:
    std::array<int, 2> ends_{};
    int saved_ = -1;
};

TEST(json_lines_pipe_test, a_full_pipe_costs_lines_and_no_time_and_is_owned_up_to) {
    constexpr int sent = 2000;
    captured_stdout pipe;
    const auto log = json_lines_sink({.to = "stdout"});
    for (int i = 0; i < sent; ++i) {
        log->published(a_publication());
    }
    auto first = parse_lines(pipe.read_some());
    log->handled(a_run());
    const auto then = parse_lines(pipe.read_some());
    pipe.restore();
    EXPECT_GT(first.size(), 50U);
    ASSERT_EQ(then.size(), 2U);
    EXPECT_EQ(then[0]["state"], "lines_dropped");
    EXPECT_EQ(then[0]["dropped"], sent - first.size());
    EXPECT_EQ(then[1]["message"], "handled");
}

TEST(json_lines_pipe_test, a_reader_that_is_gone_does_not_end_the_process) {
    captured_stdout pipe;
    const auto log = json_lines_sink({.to = "stdout"});
    log->published(a_publication());
    pipe.leave();
    log->published(a_publication());
    pipe.restore();
    SUCCEED();
}

}  // namespace
}  // namespace postrider::test
