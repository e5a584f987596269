// Scheduled work: schedules are declared in code, fired by any worker, and handled like any other
// message.
//
//   schedules [database]      missing values come from the PG* variables
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

using namespace std::chrono_literals;

int main(int argc, char** argv) try {
    postrider::worker worker{{.database = argc > 1 ? argv[1] : "", .consumer = "office"}};
    std::atomic<int> polls = 0;
    worker.on("bank.poll", "office.poll_bank", [&](const postrider::event& e) {
        std::cout << "slot of " << e.source() << ", message " << e.id() << '\n';
        if (++polls == 2) {
            worker.request_stop();
        }
    });
    worker.on("report.due", "office.report", [](const postrider::event&) { /* … */ });

    // Every second, and not while the last poll is unfinished.
    worker.schedule({.name = "poll-bank",
                     .cron = "@every 1s",
                     .message = {.event_type = "bank.poll", .payload = R"({"account": 7})"},
                     .overlap = postrider::overlap_policy::skip});
    // At three in the morning in Berlin, also if no worker ran until five.
    worker.schedule({.name = "nightly-report",
                     .cron = "0 3 * * *",
                     .message = {.event_type = "report.due", .target = "office"},
                     .time_zone = "Europe/Berlin",
                     .catch_up = 2h,
                     .jitter = 30s});
    worker.run();
    return polls >= 2 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
