#include "chaos/faults/faults.hpp"

#include <csignal>
#include <stdexcept>

namespace postrider::chaos {

const std::vector<fault>& all_faults() {
    static const std::vector<fault> all = [] {
        std::vector<fault> made;
        for (auto some : {process_faults(), server_faults(), network_faults(), work_faults(),
                          broker_faults()}) {
            for (auto& one : some) {
                made.push_back(std::move(one));
            }
        }
        return made;
    }();
    return all;
}

const fault& find_fault(const std::string& name) {
    std::string names;
    for (const auto& one : all_faults()) {
        if (one.name == name) {
            return one;
        }
        names += (names.empty() ? "" : ", ") + one.name;
    }
    throw std::invalid_argument("there is no fault '" + name + "': choose from " + names);
}

void record_hit(testbed& on, const std::string& action, const std::string& target) {
    record said{.kind = "hit"};
    on.log().write(said.add("action", action).add("target", target));
}

fault::undo nothing() {
    return [](testbed&) {};
}

part* random_part(testbed& on, random_source& random,
                  const std::function<bool(const part&)>& suits) {
    std::vector<part*> running;
    for (auto& one : on.parts()) {
        if (one.process && suits(one)) {
            running.push_back(&one);
        }
    }
    return running.empty()
               ? nullptr
               : running[static_cast<std::size_t>(random.below(static_cast<int>(running.size())))];
}

void kill_part(testbed& on, part* victim) {
    if (victim != nullptr) {
        record_hit(on, "SIGKILL", victim->process_name);
        victim->process->signal(SIGKILL);
    }
}

}  // namespace postrider::chaos
