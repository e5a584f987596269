#include "bench/lab/proc.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace postrider::bench {
namespace {

struct process_times {
    pid_t parent = 0;
    double own = 0;
    double children = 0;  // that ended and were waited for
};

std::optional<process_times> times_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    if (!std::getline(file, text)) {
        return std::nullopt;
    }
    // The name in parentheses may hold anything, so fields are counted from behind it.
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    char state = 0;
    process_times found;
    fields >> state >> found.parent;
    double value = 0;
    for (int field = 5; field <= 13; ++field) {
        fields >> value;
    }
    double user = 0;
    double system = 0;
    double children_user = 0;
    double children_system = 0;
    fields >> user >> system >> children_user >> children_system;
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    found.own = (user + system) / ticks;
    found.children = (children_user + children_system) / ticks;
    return found;
}

}  // namespace

double cpu_seconds(pid_t process) {
    const auto times = times_of(process);
    return times ? times->own : 0;
}

double cpu_seconds_with_children(pid_t parent) {
    const auto times = times_of(parent);
    double sum = times ? times->own + times->children : 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) {
            continue;
        }
        const auto one = times_of(static_cast<pid_t>(std::stol(name)));
        if (one && one->parent == parent) {
            sum += one->own;
        }
    }
    return sum;
}

double peak_resident_mib(pid_t process) {
    const auto path = "/proc/" + std::to_string(process) + "/status";
    std::ifstream status(path);
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("VmHWM:")) {
            return std::stod(line.substr(6)) / 1024;
        }
    }
    throw std::runtime_error(path + " does not say VmHWM");
}

}  // namespace postrider::bench
