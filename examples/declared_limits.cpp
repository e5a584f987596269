// A mail relay accepts three connections at once, and each customer may use at most one of them.
// The handler declares its limits; they hold for all workers of the consumer together. An operator
// can change them without a deployment: postrider limit set mail mail.send --concurrency 5 --reason
// …
//
//   declared_limits [database]      missing values come from the PG* variables
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <postrider/postrider.hpp>
#include <thread>

using namespace std::chrono_literals;

namespace {

/// How many mails are sent at once, in all and per customer.
class connections {
  public:
    void open(const std::string& customer) {
        const std::lock_guard lock(mutex_);
        most_ = std::max(most_, ++now_);
        most_of_one_ = std::max(most_of_one_, ++of_[customer]);
    }
    int close(const std::string& customer) {
        const std::lock_guard lock(mutex_);
        --now_;
        --of_[customer];
        return ++closed_;
    }
    int most() const { return most_; }
    int most_of_one() const { return most_of_one_; }

  private:
    std::mutex mutex_;
    std::map<std::string, int> of_;
    int now_ = 0;
    int most_ = 0;
    int most_of_one_ = 0;
    int closed_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    const int mails = 24;
    connections relay;
    postrider::worker one{{.database = address, .consumer = "mail", .concurrency = 4}};
    postrider::worker two{{.database = address, .consumer = "mail", .concurrency = 4}};
    for (auto* worker : {&one, &two}) {
        worker->on("mail.due", "mail.send",
                   [&](const postrider::event& mail) {
                       const std::string customer(mail.partition_key().value_or(""));
                       relay.open(customer);
                       std::this_thread::sleep_for(5ms);
                       if (relay.close(customer) == mails) {
                           one.request_stop();
                           two.request_stop();
                       }
                   },
                   {.limit = postrider::handler_limit{.concurrency = 3,
                                                      .rate = postrider::start_rate{.starts = 200},
                                                      .key = "partition_key",
                                                      .per_key = 1}});
        worker->start();
    }
    postrider::connection database(address);
    postrider::transaction work(database);
    for (int n = 0; n < mails; ++n) {
        postrider::publish(
            work, {.event_type = "mail.due",
                   .payload = "{}",
                   .partition_key = n % 4 == 0 ? "small" : "large " + std::to_string(n % 4)});
    }
    work.commit();
    one.wait();
    two.wait();
    std::cout << "at most " << relay.most() << " at once, " << relay.most_of_one()
              << " of a customer\n";
    return relay.most() <= 3 && relay.most_of_one() == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
