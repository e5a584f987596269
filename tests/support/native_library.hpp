#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "embedded/native_library.hpp"

namespace postrider::test {

/// Found as the program finds it, which lies in the same folder as the tests.
inline std::filesystem::path native_library() {
    return embedded::native_library_beside_program(15);
}

}  // namespace postrider::test

/// Call it first in a test that needs the library.
#define POSTRIDER_NEEDS_NATIVE_LIBRARY()                                            \
    if (!std::filesystem::exists(::postrider::test::native_library())) {            \
        GTEST_SKIP() << ::postrider::test::native_library().string()                \
                     << " was not built: the headers of PostgreSQL 15 are missing"; \
    }                                                                               \
    static_assert(true)
