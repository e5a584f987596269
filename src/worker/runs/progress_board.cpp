#include "worker/runs/progress_board.hpp"

namespace postrider::working {
namespace {

// Keeps values that the newer report leaves out.
void update(store::progress_report& report, store::progress_report newer) {
    for (const auto member : {&store::progress_report::text, &store::progress_report::result}) {
        if (!(newer.*member)) {
            newer.*member = std::move(report.*member);
        }
    }
    if (!newer.fraction) {
        newer.fraction = report.fraction;
    }
    report = std::move(newer);
}

}  // namespace

progress_board::job progress_board::job_of(const store::progress_report& report) {
    return {report.lease ? -report.seq : report.delivery, report.handler};
}

void progress_board::add(store::progress_report report) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = reports_.empty();
        const auto [found, added] = reports_.try_emplace(job_of(report));
        if (added) {
            found->second = std::move(report);
        } else {
            update(found->second, std::move(report));
        }
    }
    if (first) {
        wake();
    }
}

bool progress_board::empty() const {
    const std::lock_guard lock(mutex_);
    return reports_.empty();
}

std::vector<store::progress_report> progress_board::take() {
    std::map<job, store::progress_report> taken;
    {
        const std::lock_guard lock(mutex_);
        taken.swap(reports_);
    }
    std::vector<store::progress_report> reports;
    reports.reserve(taken.size());
    for (auto& [of, report] : taken) {
        reports.push_back(std::move(report));
    }
    return reports;
}

void progress_board::put_back(std::vector<store::progress_report> reports) {
    const std::lock_guard lock(mutex_);
    for (auto& report : reports) {
        const auto [found, added] = reports_.try_emplace(job_of(report));
        if (!added) {
            update(report, std::move(found->second));
        }
        found->second = std::move(report);
    }
}

}  // namespace postrider::working
