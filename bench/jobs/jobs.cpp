#include "bench/jobs/jobs.hpp"

namespace postrider::bench {

const std::vector<scenario>& jobs_scenarios() {
    static const std::vector<scenario> all{
        {"limited", limited},
        {"ordered", ordered},
        {"schedules", schedules},
        {"unique", unique},
    };
    return all;
}

}  // namespace postrider::bench
