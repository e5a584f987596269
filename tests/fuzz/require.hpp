#pragma once

#include <cstdio>
#include <cstdlib>
#include <postrider/error.hpp>

namespace postrider::test {

inline void require(bool holds, const char* promise) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", promise);
        std::abort();
    }
}

/// Catches the errors a parser may throw for invalid bytes; anything else ends the process.
template <typename Call>
void allow_refusal(Call&& call) {
    try {
        call();
    } catch (const error&) {
        // A usage error is an expected result.
    }
}

}  // namespace postrider::test
