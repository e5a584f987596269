#pragma once

#include <string_view>
#include <vector>

namespace postrider::test {

/// A parser of bytes from outside, with what must hold whatever they are. Ends the process when it
/// does not.
struct fuzz_target {
    std::string_view name;
    void (*try_bytes)(std::string_view bytes);
};

const std::vector<fuzz_target>& fuzz_targets();

}  // namespace postrider::test
