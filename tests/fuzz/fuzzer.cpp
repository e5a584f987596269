// One program for all targets: POSTRIDER_FUZZ_TARGET names the one that libFuzzer feeds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.hpp"

namespace {

const postrider::test::fuzz_target& chosen() {
    static const auto* const target = [] {
        const char* name = std::getenv("POSTRIDER_FUZZ_TARGET");
        for (const auto& one : postrider::test::fuzz_targets()) {
            if (name != nullptr && one.name == name) {
                return &one;
            }
        }
        std::fputs("POSTRIDER_FUZZ_TARGET names none of the targets in targets.cpp\n", stderr);
        std::exit(64);
    }();
    return *target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    chosen().try_bytes({reinterpret_cast<const char*>(data), size});
    return 0;
}
