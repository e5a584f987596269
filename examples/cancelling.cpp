// A customer requests two exports, one runs and one waits, and then cancels both. The stop token of
// the running handler is signalled, and the waiting job never runs.
//
//   cancelling [database]      missing values come from the PG* variables
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>
#include <thread>

using namespace std::chrono_literals;

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    std::atomic<int> begun = 0;
    std::atomic<bool> stopped = false;
    // A cancelled run is stopped at the next heartbeat, whose interval is a third of this.
    postrider::worker worker{
        {.database = address, .consumer = "exports", .concurrency = 1, .heartbeat_timeout = 1s}};
    worker.on("export.wanted", "exports.make",
              [&](const postrider::event&, postrider::context& run) -> postrider::outcome {
                  begun = begun + 1;
                  begun.notify_all();
                  for (int page = 1; page <= 10'000; ++page) {
                      if (run.stop_requested()) {
                          stopped = true;
                          stopped.notify_all();
                          return postrider::transient("stopped", "stopped");
                      }
                      run.progress(page / 10'000.0, "page " + std::to_string(page));
                      std::this_thread::sleep_for(10ms);  // the work
                  }
                  return postrider::delivered();
              });
    worker.start();

    postrider::connection database(address);
    postrider::transaction order(database);
    for (const auto* key : {"export:7", "export:8"}) {
        postrider::publish_unique(order, {.event_type = "export.wanted", .target = "exports"},
                                  {.key = key});
    }
    order.commit();
    begun.wait(0);

    postrider::transaction change(database);
    const auto jobs = postrider::cancel(change, {.consumer = "exports", .handler = "exports.make"},
                                        {.actor = "shop", .reason = "the customer left"});
    change.commit();
    stopped.wait(false);
    worker.request_stop();
    worker.wait();

    std::cout << jobs << " jobs cancelled, " << begun << " had begun\n";
    return jobs == 2 && begun == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
