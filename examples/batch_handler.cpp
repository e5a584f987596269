// A handler that takes many events at once, because bulk requests are cheaper, and returns an
// outcome for each of them.
//
//   batch_handler [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <postrider/postrider.hpp>

namespace {

// A search index that takes documents in bulk and reports the ones it could not read.
std::vector<bool> index_documents(std::span<const postrider::event> documents) {
    std::vector<bool> understood;
    for (const auto& document : documents) {
        understood.push_back(document.payload().find("text") != std::string_view::npos);
    }
    std::cout << "indexed " << documents.size() << " documents at once\n";
    return understood;
}

std::vector<postrider::outcome> index(std::span<const postrider::event> documents) {
    std::vector<postrider::outcome> outcomes;
    for (const bool understood : index_documents(documents)) {
        outcomes.push_back(understood ? postrider::delivered()
                                      : postrider::terminal("there is no text in it"));
    }
    return outcomes;
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string address = argc > 1 ? argv[1] : "";
    postrider::worker worker{{.database = address, .consumer = "search"}};
    worker.on({"document.created", "document.changed"}, "search.index", index, {.batch_max = 50});
    worker.drain();

    std::vector<postrider::message> documents;
    for (int n = 0; n < 100; ++n) {
        documents.push_back({.event_type = n % 3 == 0 ? "document.changed" : "document.created",
                             .payload = n == 7 ? "{}" : R"({"text": "..."})",
                             .source = "editor"});
    }
    postrider::connection database(address);
    postrider::transaction work(database);
    postrider::publish_many(work, documents);
    work.commit();
    worker.drain();

    postrider::transaction look(database);
    const auto count = look.exec(
        "select count(*) filter (where status = 'delivered'),"
        " count(*) filter (where status = 'failed') from postrider.outbox");
    std::cout << count.text(0, 0) << " delivered, " << count.text(0, 1) << " dead\n";
    return count.text(0, 0) == "99" && count.text(0, 1) == "1" ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const postrider::error& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
