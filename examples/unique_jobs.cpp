// Jobs that are published more often than they have to run: a page is indexed again after it was
// edited. With a unique key of the scope `serial`, edits during a run lead to one more run, which
// sees all of them.
//
//   unique_jobs [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

namespace {

/// An edit of a page, and the job that follows from it, in one transaction.
postrider::unique_result edit(postrider::connection& database, std::string_view text) {
    postrider::transaction work(database);
    work.exec("update page set text = $1 where id = 42", text);
    auto job = postrider::publish_unique(
        work, {.event_type = "search.reindex", .payload = R"({"page": 42})", .target = "search"},
        {.key = "page:42", .scope = postrider::unique_scope::serial});
    work.commit();
    std::cout << "edit '" << text << "': " << (job.duplicate ? "the job waits already" : job.id)
              << '\n';
    return job;
}

std::string text_of_page(postrider::connection& database) {
    postrider::transaction look(database);
    return std::string(look.exec("select text from page where id = 42").text(0, 0));
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    postrider::connection database(address);
    postrider::transaction setup(database);
    setup.exec("create table page (id int primary key, text text not null)");
    setup.exec("insert into page values (42, '')");
    setup.commit();

    std::string indexed;
    int runs = 0;
    postrider::worker worker{{.database = address, .consumer = "search"}};
    worker.on("search.reindex", "search.index_page",
              [&](const postrider::event&, postrider::context&) {
                  indexed = text_of_page(database);
                  if (++runs == 1) {
                      // Two more edits during the first run: one of them adds a job.
                      edit(database, "third");
                      edit(database, "fourth");
                  }
              });
    worker.drain();

    edit(database, "first");
    const bool duplicate = edit(database, "second").duplicate;
    while (worker.drain() > 0) {
    }

    std::cout << runs << " runs, indexed: " << indexed << '\n';
    return duplicate && runs == 2 && indexed == "fourth" ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
