#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace postrider::test {

/// Every choice of a run, from one number.
class random_source {
  public:
    explicit random_source(std::uint64_t seed) : engine_(seed) {}

    int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool percent(int chance) { return below(100) < chance; }

    template <typename Items>
    auto& pick(Items& items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }

    std::string uuid() {
        const auto high = engine_();
        const auto low = engine_();
        char text[40];
        std::snprintf(text, sizeof text, "%08x-%04x-4%03x-8%03x-%012llx",
                      static_cast<unsigned>(high >> 32), static_cast<unsigned>(high >> 16 & 0xffff),
                      static_cast<unsigned>(high & 0xfff), static_cast<unsigned>(low >> 52),
                      static_cast<unsigned long long>(low & 0xffffffffffffULL));
        return text;
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace postrider::test
