#include "serve/figures/doctor.hpp"

#include <algorithm>

#include "base/json/json.hpp"
#include "pg/connection.hpp"
#include "store/reads/health.hpp"

namespace postrider::serve {

std::string doctor::read() {
    constexpr std::chrono::seconds memory{10};
    const std::lock_guard lock(mutex_);
    if (clock::now() >= until_) {
        seen_ = examine();
        until_ = clock::now() + memory;
    }
    return seen_;
}

std::string doctor::examine() const {
    using namespace std::chrono_literals;
    constexpr auto check_limit = 3s;
    constexpr auto overdue_after = 5min;  // as the command's default
    pg::connection session(options_.database);
    store::prepare_examination(session, check_limit, overdue_after);
    auto checks = store::server_checks();
    for (const auto& check : store::engine_checks()) {
        checks.push_back(check);
    }
    auto worst = store::level::ok;
    json_array list;
    for (const auto& check : checks) {
        for (const auto& one : store::examine(session, check)) {
            worst = std::max(worst, one.how);
            json_object made;
            made.add("check", one.check)
                .add("level", store::to_string(one.how))
                .add("what", one.what)
                .add("why", one.why)
                .add("do", one.todo);
            list.add_raw(made.text());
        }
    }
    json_object whole;
    whole.add("level", store::to_string(worst)).add_raw("findings", list.text());
    return whole.text();
}

}  // namespace postrider::serve
