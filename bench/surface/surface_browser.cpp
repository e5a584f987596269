// The page in a real browser, and the largest answer that a browser has to load.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "bench/lab/workload.hpp"
#include "bench/surface/served_page.hpp"
#include "bench/surface/surface.hpp"

namespace postrider::bench {
namespace {

namespace fs = std::filesystem;

std::string variable_or(const char* name, const fs::path& otherwise) {
    const auto* value = std::getenv(name);
    return value != nullptr ? value : otherwise.string();
}

// A browser and its driver, which ./dev fetches for the tests of the page.
struct browser {
    fs::path source = POSTRIDER_BENCH_SOURCE;
    std::string modules = variable_or("POSTRIDER_TEST_PAGE_MODULES",
                                      source.parent_path() / "build/page-tests/node_modules");
    std::string program =
        variable_or("POSTRIDER_TEST_CHROMIUM", "/usr/bin/chromium-headless-shell");

    bool installed() const {
        return fs::exists(fs::path(modules) / "playwright-core") && fs::exists(program);
    }
};

}  // namespace

void measure_browser(const served_page& page, const lab& where, report& results) {
    const browser chosen;
    if (!chosen.installed()) {
        fmt::print(stderr, "page_cold_ms and page_warm_ms are not measured: {} or {} is missing\n",
                   chosen.modules, chosen.program);
        return;
    }
    // The first round is not counted: it includes the cold start of the browser.
    const int rounds = where.tiny() ? 1 : where.size(11, 4);
    progress shown("the page in a browser", rounds);
    child script({"/usr/bin/env", "node", (chosen.source / "surface/open_page.mjs").string(),
                  page.link(), std::to_string(rounds + 1)},
                 {{"POSTRIDER_TEST_PAGE_MODULES", chosen.modules},
                  {"POSTRIDER_TEST_CHROMIUM", chosen.program}});
    std::vector<double> cold;
    std::vector<double> warm;
    double requests = 0;
    for (int round = 0; round <= rounds; ++round) {
        const auto first = std::stod(script.expect("cold"));
        std::istringstream second(script.expect("warm"));
        double painted = 0;
        double count = 0;
        second >> painted >> count;
        if (round > 0) {
            cold.push_back(first);
            warm.push_back(painted);
            requests = std::max(requests, count);
            shown.advance(1);
        }
    }
    script.finish();
    results.add("page_cold_ms", median(cold));
    results.add("page_warm_ms", median(warm));
    results.add("page_requests_warm", requests);
}

void measure_large_answer(const fresh_database& database, served_page& page, const lab& where,
                          report& results) {
    const auto id = std::string(
        database.connect()
            .exec("select postrider.publish('report.made', jsonb_build_object('lines',"
                  " (select jsonb_agg(md5(n::text)) from generate_series(1, 27800) n)))")
            .text(0, 0));
    const auto path = "/api/v1/messages/" + id + "/payload";
    std::vector<double> took;
    page.look(path);
    for (int i = 0; i < (where.tiny() ? 1 : where.size(15, 5)); ++i) {
        took.push_back(page.look(path));
    }
    results.add("large_answer_bytes", static_cast<double>(page.answer().size()));
    results.add("large_answer_ms", median(took));
}

}  // namespace postrider::bench
