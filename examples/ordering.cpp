// Changes of accounts, handled in the order in which they were made: messages of one ordering key
// are handled one at a time. A change that fails is retried before the next one of its account
// runs; other accounts do not wait for it.
//
//   ordering [database]      missing values come from the PG* variables
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <postrider/postrider.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

/// The change and its message in one transaction. The row lock of the account serialises the
/// transactions that change it, and so the order of their messages.
void deposit(postrider::connection& database, std::string_view account, int amount) {
    postrider::transaction work(database);
    const auto rows =
        work.exec("update account set balance = balance + $2 where name = $1 returning balance",
                  account, amount);
    postrider::publish(work, {.event_type = "account.changed",
                              .payload = "{\"balance\": " + std::string(rows.text(0, 0)) + "}",
                              .ordering_key = std::string(account)});
    work.commit();
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    postrider::connection database(address);
    postrider::transaction setup(database);
    setup.exec("create table account (name text primary key, balance int not null)");
    setup.exec("insert into account values ('ann', 0), ('bob', 0)");
    setup.commit();

    std::mutex mutex;
    std::map<std::string, std::vector<std::string>, std::less<>> seen;
    bool failed = false;
    postrider::worker worker{{.database = address,
                              .consumer = "ledger",
                              .ordering = postrider::ordering_policy::hold()}};
    worker.on(
        "account.changed", "ledger.book",
        [&](const postrider::event& change, postrider::context&) {
            const std::lock_guard lock(mutex);
            if (change.ordering_key() == "ann" && !std::exchange(failed, true)) {
                throw std::runtime_error("the first change of ann fails once");
            }
            seen[std::string(change.ordering_key().value_or(""))].emplace_back(change.payload());
        },
        {.retry = {.curve = postrider::curve::immediate}});
    worker.drain();

    for (int n = 0; n < 3; ++n) {
        deposit(database, "ann", 10);
        deposit(database, "bob", 1);
    }
    while (worker.drain() > 0) {
    }

    bool in_order = true;
    for (const auto& [account, balances] : seen) {
        std::cout << account << ':';
        for (const auto& balance : balances) {
            std::cout << ' ' << balance;
        }
        std::cout << '\n';
        in_order = in_order && balances.size() == 3 && std::ranges::is_sorted(balances);
    }
    return in_order && seen.size() == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
