// Exactly once: the handler's writes, its inbox entry and the messages it publishes commit as one
// transaction. The second copy of the same event is skipped, not run.
//
//   transactional_handler [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    {
        postrider::connection database(address);
        postrider::transaction work(database);
        work.exec("create table if not exists ledger (invoice text, amount int)");
        work.commit();
    }

    postrider::worker worker{{.database = address, .consumer = "books"}};
    worker.on("invoice.due", "books.book_invoice",
              [](const postrider::event& e, postrider::transaction& tx) {
                  tx.exec("insert into ledger values ($1, $2)", e.idempotency_key(), 120);
                  postrider::publish(tx, {.event_type = "invoice.booked", .source = "books"});
              });  // the worker commits; an exception rolls everything back
    worker.on("invoice.booked", "books.tell",
              [](const postrider::event&) { std::cout << "an invoice was booked\n"; });
    worker.drain();

    postrider::connection database(address);
    for (int copy = 0; copy < 2; ++copy) {  // published twice, as after a lost connection
        postrider::transaction work(database);
        postrider::publish(
            work,
            {.event_type = "invoice.due", .source = "shop", .idempotency_key = "invoice 2026-17"});
        work.commit();
    }
    worker.drain();

    postrider::transaction look(database);
    const auto booked = look.exec("select count(*) from ledger");
    std::cout << booked.text(0, 0) << " entry in the ledger\n";
    return booked.text(0, 0) == "1" ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
