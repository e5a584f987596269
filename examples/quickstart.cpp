// Publish in your own transaction, handle it in a worker. Ctrl-C stops it.
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";  // the rest comes from the PG* variables

    postrider::worker worker{{.database = address, .consumer = "billing"}};
    worker.on("user.created", "billing.welcome_email",
              [&](const postrider::event& e, postrider::context&) {
                  std::cout << "welcome: " << e.payload() << '\n';  // throw to fail: it is retried
                  worker.request_stop();                            // this example ends here
              });
    worker.drain();  // once, so that the consumer exists before its first message

    postrider::connection database(address);
    postrider::transaction work(database);
    work.exec("create table if not exists users (id int, name text)");
    work.exec("insert into users values ($1, $2)", 42, "Ada");
    postrider::publish(
        work,
        {.event_type = "user.created", .payload = R"({"user_id": 42})", .source = "accounts"});
    work.commit();  // the commit makes it visible to every consumer

    worker.run();  // until SIGTERM: stops claiming, finishes running handlers, releases the rest
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
