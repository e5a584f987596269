#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/embedded_files.hpp"
#include "cli/doctor/doctor.hpp"

namespace postrider::cli {
namespace {

using store::level;

struct release {
    int major;
    int listens;  ///< the first minor without the LISTEN failure after old transaction ids
    int secure;   ///< the first minor without known security holes
};

constexpr std::array releases{release{15, 15, 20}, release{16, 11, 15}, release{17, 7, 11},
                              release{18, 1, 6}};

// The function body in a file, between its dollar quotes; empty when the file creates no function.
std::string_view body_of(std::string_view text) {
    const auto made = text.find("create or replace function");
    const auto opens = text.find("as $", made);
    if (made == std::string_view::npos || opens == std::string_view::npos) {
        return {};
    }
    const auto begin = opens + 3;
    const auto tag = text.substr(begin, text.find('$', begin + 1) + 1 - begin);
    const auto from = begin + tag.size();
    const auto to = text.find(tag, from);
    return to == std::string_view::npos ? std::string_view{} : text.substr(from, to - from);
}

}  // namespace

findings examine_version(int server_version) {
    const int major = server_version / 10000;
    const int minor = server_version % 10000;
    const auto name = fmt::format("PostgreSQL {}.{}", major, minor);
    if (major < 15) {
        return {{"version", level::problem, name, "Postrider needs PostgreSQL 15 or later",
                 "pg_upgradecluster, or dump and restore into a newer server"}};
    }
    const auto* const known = std::ranges::find(releases, major, &release::major);
    if (known == releases.end()) {
        return {{"version", level::note, name, "Postrider was tested with PostgreSQL 15 to 18",
                 "use a release that was tested, or monitor more closely"}};
    }
    const auto update =
        fmt::format("install {}.{} or later and restart the server", major, known->secure);
    if (minor < known->listens) {
        return {{"version", level::problem, name,
                 "LISTEN can fail permanently after old transaction ids are cleaned up, and it has "
                 "known "
                 "security holes",
                 update}};
    }
    if (minor < known->secure) {
        return {{"version", level::warning, name,
                 "it has known security holes, some of which let SQL run code", update}};
    }
    return {{"version", level::ok, name}};
}

findings examine_clock(double ahead, double uncertain) {
    const auto difference = std::abs(ahead);
    const auto text = fmt::format("the server's clock is {:.1f} s {} this machine's", difference,
                                  ahead > 0 ? "ahead of" : "behind");
    if (difference <= 2 + uncertain) {
        return {{"clock", level::ok, "this machine and the server agree on the time"}};
    }
    return {{"clock", difference > 60 ? level::warning : level::note, text,
             "Postrider uses only the server's clock, but times in logs, traces and scheduled "
             "messages of this machine are wrong by the difference",
             "timedatectl set-ntp true, on both machines"}};
}

findings examine_functions(const std::vector<store::stored_function>& stored) {
    std::multimap<std::string, std::string_view> bodies;
    for (const auto& one : stored) {
        bodies.emplace(one.name, one.body);
    }
    std::string missing;
    std::string changed;
    for (const auto& file : embedded_files()) {
        const auto body = body_of(file.text);
        if ((!file.path.starts_with("functions/") && !file.path.starts_with("compat/")) ||
            body.empty()) {
            continue;
        }
        const auto name = std::filesystem::path(file.path).stem().string();
        const auto [first, last] = bodies.equal_range(name);
        auto& list = first == last ? missing : changed;
        if (std::none_of(first, last, [&](const auto& one) { return one.second == body; })) {
            list += (list.empty() ? "" : ", ") + name;
        }
    }
    const auto* const todo =
        "postrider psql -c 'delete from postrider.function_set' && postrider migrate up";
    findings found;
    if (!missing.empty()) {
        found.push_back(
            {"functions", level::problem, "missing: " + missing, "calls to them fail", todo});
    }
    if (!changed.empty()) {
        found.push_back({"functions", level::problem, "changed: " + changed,
                         "they were modified after installation, so no guarantee holds", todo});
    }
    if (found.empty()) {
        found.push_back({"functions", level::ok, "functions match this program"});
    }
    return found;
}

}  // namespace postrider::cli
