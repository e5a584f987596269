#include <cstdlib>

#include "worker/runs/runner.hpp"

namespace postrider::working {

// A record of every message is expensive, and the log on stderr has no line for delivered ones.
bool runner::is_reported(const outcome& how) const {
    return shared_.reports && (!shared_.only_log || !how.ok());
}

void runner::report(const handler& by, const event& event, const run_report& run) const {
    const auto now = clock::now();
    const auto id = event.id();
    const auto workspace = event.workspace_id();
    handle_record record;
    record.started_at =
        std::chrono::system_clock::now() -
        std::chrono::duration_cast<std::chrono::system_clock::duration>(now - run.began);
    record.duration = now - run.began;
    record.message_id = id;
    record.event_type = event.event_type();
    record.source = event.source();
    record.target = event.target();
    record.workspace_id = workspace;
    record.consumer = shared_.consumer;
    record.handler = by.name;
    record.attempts = run.which.attempts;
    record.outcome = run.duplicate ? "duplicate" : to_string(run.how.kind);
    record.error = run.how.error;
    record.error_class = run.how.error_class;
    record.trace = run.trace ? &*run.trace : nullptr;
    try {
        shared_.reports->handled(record);
    } catch (...) {
        // A failing sink must not change the outcome of a message.
    }
}

void runner::record(const handler& by, place at, job_progress progress) const {
    store::progress_report made{.handler = by.name,
                                .fraction = progress.fraction,
                                .text = std::move(progress.text),
                                .result = std::move(progress.result)};
    if (at.batch.is_lease()) {
        made.lease = at.batch.lease();
        made.seq = at.batch.seq(at.index);
        made.id = uuid{at.batch.fields(at.index).id};
    } else {
        const auto due = at.batch.due(at.index);
        made.delivery = due.delivery_id();
        made.token = due.lease_token();
    }
    shared_.progress.add(std::move(made));
}

}  // namespace postrider::working
