// Fan-out and fan-in: an import is split into jobs that run in parallel, and a report follows when
// all of them have ended. Each job records its progress and a result.
//
//   job_sets [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>
#include <vector>

namespace {

/// The parts of an import, and the message that follows them, in one transaction.
void begin_import(postrider::connection& database, int parts) {
    std::vector<postrider::message> members;
    for (int part = 1; part <= parts; ++part) {
        members.push_back({.event_type = "import.part",
                           .payload = R"({"part": )" + std::to_string(part) + "}",
                           .target = "importer"});
    }
    postrider::transaction work(database);
    postrider::publish_set(
        work,
        {.name = "import:42", .completed = {.event_type = "import.done", .target = "importer"}},
        members);
    work.commit();
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    postrider::connection database(address);

    int parts = 0;
    int reports = 0;
    std::string headers;
    postrider::worker worker{{.database = address, .consumer = "importer"}};
    worker.on("import.part", "importer.part",
              [&](const postrider::event& part, postrider::context& run) {
                  run.progress(0.5, "read");
                  run.progress(1, "written");
                  run.result(part.payload());
                  ++parts;
              });
    worker.on("import.done", "importer.report", [&](const postrider::event& done) {
        ++reports;
        headers = done.headers().value_or("");
    });
    worker.drain();

    begin_import(database, 3);
    while (worker.drain() > 0) {
    }

    postrider::transaction look(database);
    const auto results = look.exec("select count(*) from postrider.progress where fraction = 1");
    std::cout << parts << " parts, " << results.text(0, 0) << " results, " << reports
              << " report: " << headers << '\n';
    return parts == 3 && reports == 1 && results.text(0, 0) == "3" ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
