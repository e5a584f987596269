// An order service: the order and the event that it causes are written in one transaction, and
// placing an order is safe to repeat when a connection is lost, even in the middle of a commit.
//
//   transactional_publish [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

namespace {

struct order {
    std::string number;
    int total;
};

// The order's number is unique, so a second call inserts and publishes nothing.
void place(postrider::connection& database, const order& placed) {
    postrider::transaction work(database);
    const auto inserted = work.exec(
        "insert into orders (number, total) values ($1, $2) on conflict (number) do nothing",
        placed.number, placed.total);
    if (inserted.affected() == 1) {
        postrider::publish(work, {.event_type = "order.placed",
                                  .payload = R"({"order": ")" + placed.number + R"("})",
                                  .source = "shop",
                                  .idempotency_key = "order.placed " + placed.number});
    }
    work.commit();
}

void place_surely(const std::string& address, const order& placed) {
    for (int attempt = 1;; ++attempt) {
        try {
            postrider::connection database(address);
            return place(database, placed);
        } catch (const postrider::error& problem) {
            // If the connection was lost during the commit, the result is unknown; before that,
            // nothing was committed. The retry is safe because place() is idempotent.
            if (attempt == 3 || !(problem.commit_unknown() || problem.connection_lost())) {
                throw;
            }
            std::cerr << problem.what() << "; again\n";
        }
    }
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    {
        postrider::connection database(address);
        postrider::transaction work(database);
        work.exec("create table if not exists orders (number text primary key, total int)");
        work.commit();
    }
    place_surely(address, {.number = "A-42", .total = 4200});
    place_surely(address, {.number = "A-42", .total = 4200});  // repeated: changes nothing

    postrider::connection database(address);
    postrider::transaction look(database);
    const auto orders = look.exec("select number, total from orders");
    for (int row = 0; row < orders.size(); ++row) {
        std::cout << orders.text(row, 0) << ": " << orders.text(row, 1) << '\n';
    }
    return orders.size() == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return postrider::describe(problem.code()).exit_code;
}
