#include "bench/failure/failure.hpp"

namespace postrider::bench {

const std::vector<scenario>& failure_scenarios() {
    static const std::vector<scenario> all{
        {"one_percent", one_percent},
        {"replay_rate", replay_rate},
        {"dead_letter_lists", dead_letter_lists},
    };
    return all;
}

}  // namespace postrider::bench
