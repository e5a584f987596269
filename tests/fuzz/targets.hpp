#pragma once

#include <string_view>
#include <vector>

namespace postrider::test {

/// A parser of untrusted bytes with its invariants. Ends the process when one is violated.
struct fuzz_target {
    std::string_view name;
    void (*try_bytes)(std::string_view bytes);
};

const std::vector<fuzz_target>& fuzz_targets();

// Targets of other files.
void try_session(std::string_view bytes);
void try_child_line(std::string_view bytes);
void try_received(std::string_view bytes);
void try_relay(std::string_view bytes);

}  // namespace postrider::test
