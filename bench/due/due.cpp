#include "bench/due/due.hpp"

#include "bench/failure/failure.hpp"

namespace postrider::bench {

const std::vector<scenario>& due_scenarios() {
    static const std::vector<scenario> all{
        {"priority", priority},     {"scheduled", scheduled}, {"retry", retry},
        {"replay", replay_handled}, {"overtake", overtake},   {"waiting", waiting},
    };
    return all;
}

}  // namespace postrider::bench
