// A job that takes longer than the heartbeat timeout. It keeps its lease for as long as its worker
// sends heartbeats, records its progress and leaves a result. A second worker does not get it.
//
//   long_jobs [database]      missing values come from the PG* variables
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>
#include <thread>

using namespace std::chrono_literals;

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    std::atomic<int> runs = 0;
    std::atomic<bool> ended = false;
    const auto make = [&](const postrider::event&, postrider::context& run) {
        ++runs;
        for (int part = 1; part <= 30; ++part) {
            std::this_thread::sleep_for(100ms);  // the work
            run.progress(part / 30.0, "part " + std::to_string(part));
        }
        run.result(R"({"parts": 30})");
        ended = true;
        ended.notify_all();
    };
    const postrider::worker_options options{
        .database = address, .consumer = "reports", .heartbeat_timeout = 1s};
    postrider::worker one{options};
    postrider::worker other{options};
    for (auto* worker : {&one, &other}) {
        // By default a handler has five minutes.
        worker->on("report.due", "reports.make", make, {.timeout = 6h});
        worker->start();
    }

    postrider::connection database(address);
    postrider::transaction order(database);
    postrider::publish(order, {.event_type = "report.due", .target = "reports"});
    order.commit();
    ended.wait(false);
    for (auto* worker : {&one, &other}) {
        worker->request_stop();
        worker->wait();
    }

    postrider::transaction look(database);
    const auto row = look.exec("select fraction, result from postrider.progress");
    std::cout << runs << " run, progress " << row.text(0, 0) << ", result " << row.text(0, 1)
              << '\n';
    return runs == 1 && row.text(0, 0) == "1" ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
