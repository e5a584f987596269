#pragma once

#include <cstdint>
#include <random>

namespace postrider::chaos {

/// Randomness that is the same for the same seed on every machine.
class random_source {
  public:
    explicit random_source(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

    /// From 0 to below - 1; the small bias of a remainder does no harm here.
    int below(int below) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(below)); }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool one_in(int chances) { return below(chances) == 0; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace postrider::chaos
