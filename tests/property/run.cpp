#include "property/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "property/world/world.hpp"

namespace postrider::test {
namespace {

void apply(const test_database& database, const mutation& broken) {
    auto session = database.connect();
    auto text = session
                    .exec_params(
                        "select pg_get_functiondef(p.oid) from pg_proc p "
                        "where p.pronamespace = 'postrider'::regnamespace "
                        "and p.proname = $1",
                        pg::params(broken.function))
                    .get<std::string>(0, 0);
    const auto at = text.find(broken.from);
    if (at == std::string::npos) {
        throw std::logic_error(broken.function + " has changed: it lacks " + broken.from);
    }
    session.exec(text.replace(at, broken.from.size(), broken.to));
}

std::uint64_t seed_of(std::uint64_t seed, int step) {
    return (seed + 1) * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(step);
}

}  // namespace

std::vector<int> first_steps(int count) {
    std::vector<int> steps(static_cast<std::size_t>(count));
    std::iota(steps.begin(), steps.end(), 0);
    return steps;
}

std::optional<disagreed> run_world(std::uint64_t seed, const std::vector<int>& steps,
                                   const std::optional<mutation>& broken) {
    const test_database database;
    if (broken) {
        apply(database, *broken);
    }
    world everything(database, seed);
    int last = 0;
    try {
        for (const int step : steps) {
            last = step;
            everything.step(seed_of(seed, step));
        }
        everything.finish();
    } catch (const std::exception& problem) {
        return disagreed{problem.what(), everything.log(), last};
    }
    return std::nullopt;
}

std::string explain(std::uint64_t seed, const disagreed& found) {
    using clock = std::chrono::steady_clock;
    const auto deadline = clock::now() + std::chrono::seconds(90);
    auto steps = first_steps(found.step + 1);
    auto best = found;
    for (std::size_t chunk = steps.size() / 2; chunk > 0; chunk /= 2) {
        for (std::size_t at = 0; at < steps.size() && clock::now() < deadline;) {
            auto fewer = steps;
            const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
            fewer.erase(begin,
                        begin + static_cast<std::ptrdiff_t>(std::min(chunk, fewer.size() - at)));
            if (const auto still = run_world(seed, fewer)) {
                steps = fewer;
                best = *still;
            } else {
                at += chunk;
            }
        }
    }
    auto text = fmt::format("POSTRIDER_SEED={}: at step {}: {}\n\nWith {} steps: {}\n", seed,
                            found.step, found.problem, steps.size(), best.problem);
    for (const auto& line : best.log) {
        text += "  " + line + "\n";
    }
    return text;
}

}  // namespace postrider::test
