#pragma once

// Named places where a test can make a process die, stop or fail:
//
//     POSTRIDER_FAULTS="transaction.after_commit:kill:3,transaction.before_commit:throw:1"
//
// kills the process at the third passing of one place and throws at the first of another. Actions:
// kill (SIGKILL), stop (SIGSTOP), throw (std::runtime_error), exit (without any cleaning up), and
// for places that guard a safety rule skip, which leaves the rule out from that passing on. Built
// in by the CMake option POSTRIDER_FAULT_POINTS; otherwise a place costs nothing, not even a test.
#ifdef POSTRIDER_FAULT_POINTS

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace postrider {

/// All places. The use of one that is not listed here does not compile.
inline constexpr std::array<std::string_view, 13> fault_point_names{
    "test.first",
    "test.second",
    "transaction.before_commit",
    "transaction.after_commit",
    "worker.after_claim",
    "worker.before_handler",
    "worker.after_handler",
    "worker.before_settle",
    "worker.after_settle",
    "worker.look_after_listening",
    "worker.in_doubt",
    "serve.accept",
    "serve.answer",
};

class fault_point {
  public:
    consteval explicit fault_point(std::string_view name)
        : index_(static_cast<std::size_t>(std::ranges::find(fault_point_names, name) -
                                          fault_point_names.begin())) {
        if (index_ == fault_point_names.size()) {
            throw "this place is missing in fault_point_names";
        }
    }
    std::size_t index() const noexcept { return index_; }

  private:
    std::size_t index_;
};

enum class fault_action { kill, stop, fail, exit, skip };

struct planned_fault {
    std::size_t place;  ///< index in fault_point_names
    fault_action action;
    int passing;  ///< 1: the first

    friend bool operator==(const planned_fault&, const planned_fault&) = default;
};

/// Reads "name:action:n,..."; throws usage_error for unknown names and actions.
std::vector<planned_fault> parse_faults(std::string_view text);

/// Injects the fault that POSTRIDER_FAULTS plans for this point. The variable is read at the first
/// call; a process that cannot parse it exits at once with status 64, so no test passes by a typo.
void pass(fault_point here);
/// True when the code at this point is to be skipped, so that tests can notice its absence.
bool skips(fault_point here);

}  // namespace postrider

#define POSTRIDER_FAULT(name) ::postrider::pass(::postrider::fault_point(name))
#define POSTRIDER_SKIPS(name) ::postrider::skips(::postrider::fault_point(name))

#else

#define POSTRIDER_FAULT(name) static_cast<void>(0)
#define POSTRIDER_SKIPS(name) false

#endif
