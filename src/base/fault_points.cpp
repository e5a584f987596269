#include "base/fault_points.hpp"

#ifdef POSTRIDER_FAULT_POINTS

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <postrider/error.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace postrider {
namespace {

constexpr std::array<std::pair<std::string_view, fault_action>, 5> actions{{
    {"kill", fault_action::kill},
    {"stop", fault_action::stop},
    {"throw", fault_action::fail},
    {"exit", fault_action::exit},
    {"skip", fault_action::skip},
}};

[[noreturn]] void refuse(std::string_view part, const std::string& why) {
    throw usage_error("POSTRIDER_FAULTS: '" + std::string(part) + "' " + why);
}

planned_fault parse_fault(std::string_view part) {
    const auto first = part.find(':');
    const auto second = part.find(':', std::min(first, part.size() - 1) + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        refuse(part, "is not of the form name:action:n");
    }
    const auto* const place = std::ranges::find(fault_point_names, part.substr(0, first));
    if (place == fault_point_names.end()) {
        refuse(part, "names no fault point; src/base/fault_points.hpp lists them");
    }
    const auto word = part.substr(first + 1, second - first - 1);
    const auto* const action =
        std::ranges::find(actions, word, &std::pair<std::string_view, fault_action>::first);
    if (action == actions.end()) {
        refuse(part, "has an action that is none of kill, stop, throw, exit, skip");
    }
    int passing = 0;
    const auto number = part.substr(second + 1);
    const auto* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, passing);
    if (read.ec != std::errc() || read.ptr != end || passing < 1) {
        refuse(part, "must end with the passing to act at: 1, 2, ...");
    }
    return {static_cast<std::size_t>(place - fault_point_names.begin()), action->second, passing};
}

std::vector<planned_fault> plan_of_this_process() {
    const char* text = std::getenv("POSTRIDER_FAULTS");
    try {
        return parse_faults(text == nullptr ? "" : text);
    } catch (const usage_error& problem) {
        // Not thrown: a caller may survive every exception, and the test would pass.
        std::fprintf(stderr, "%s\n", problem.what());
        ::_exit(64);
    }
}

void act(const planned_fault& fault) {
    switch (fault.action) {
        case fault_action::kill:
            std::raise(SIGKILL);
            break;
        case fault_action::stop:
            std::raise(SIGSTOP);
            break;
        case fault_action::fail:
            throw std::runtime_error("fault point " + std::string(fault_point_names[fault.place]));
        case fault_action::exit:
            ::_exit(70);
        case fault_action::skip:
            break;
    }
}

const std::vector<planned_fault>& plan_followed() {
    static const auto plan = plan_of_this_process();
    return plan;
}

// The number of times this place was passed, this time included.
int count_passing(fault_point here) {
    static std::array<std::atomic<int>, fault_point_names.size()> passings{};
    return ++passings[here.index()];
}

}  // namespace

std::vector<planned_fault> parse_faults(std::string_view text) {
    std::vector<planned_fault> faults;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        if (comma > 0) {
            faults.push_back(parse_fault(text.substr(0, comma)));
        }
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return faults;
}

void pass(fault_point here) {
    if (plan_followed().empty()) {
        return;
    }
    const int passing = count_passing(here);
    for (const auto& fault : plan_followed()) {
        if (fault.place == here.index() && fault.passing == passing) {
            act(fault);
        }
    }
}

bool skips(fault_point here) {
    if (plan_followed().empty()) {
        return false;
    }
    const int passing = count_passing(here);
    return std::ranges::any_of(plan_followed(), [&](const planned_fault& fault) {
        return fault.place == here.index() && fault.action == fault_action::skip &&
               passing >= fault.passing;
    });
}

}  // namespace postrider

#endif
