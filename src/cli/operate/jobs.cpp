#include "store/operate/jobs.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/encoding/uuid.hpp"
#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/attempts_table.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct cancel_options {
    std::vector<std::string> ids;
    std::string unique_key;
    std::string consumer;
    std::string channel;
    std::string handler;
    std::string event_type;
    std::string workspace;
    int limit = 1000;
    bool dry_run = false;
    std::shared_ptr<audit_options> why;

    std::string filter() const {
        if (ids.empty() && unique_key.empty() && consumer.empty()) {
            throw usage_error("name the jobs: message ids, --unique-key or --consumer");
        }
        json_object made;
        if (!ids.empty()) {
            json_array all;
            for (const auto& id : ids) {
                all.add(uuid::parse(id).text());
            }
            made.add_raw("ids", all.text());
        }
        for (const auto& [name, value] : {std::pair("unique_key", &unique_key),
                                          {"consumer", &consumer},
                                          {"channel", &channel},
                                          {"handler", &handler},
                                          {"event_type", &event_type},
                                          {"workspace_id", &workspace}}) {
            if (!value->empty()) {
                made.add(name, *value);
            }
        }
        return made.text();
    }
};

void run_cancel(context& shared, const cancel_options& options) {
    // A dry run is not recorded.
    const auto entry = options.dry_run ? store::audit_entry{} : options.why->entry();
    const auto filter = options.filter();
    operator_session session(shared);
    const auto show = [&](const store::listing& jobs) {
        print_listing(
            shared, jobs,
            {{"id", "id"}, {"consumer", "consumer"}, {"handler", "handler"}, {"was", "was"}},
            {.nothing = "no job matches"});
    };
    if (options.dry_run) {
        show(store::cancel_preview(session, filter, options.limit));
        return;
    }
    if (!options.why->yes) {
        const auto jobs = store::cancel_preview(session, filter, options.limit).size();
        if (!confirmed(*options.why, fmt::format("cancel {} that {} {}?", counted(jobs, "job"),
                                                 jobs == 1 ? "matches" : "match", filter))) {
            shared.exit_code = not_done_exit;
            return;
        }
    }
    show(store::cancel(session, filter, options.limit, entry));
}

void add_cancel(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("cancel", "Cancel jobs that wait or run");
    const auto options = std::make_shared<cancel_options>();
    command->add_option("id", options->ids, "ids of messages");
    command->add_option("--unique-key", options->unique_key, "only jobs that hold this unique key");
    command->add_option("--consumer", options->consumer, "only jobs of this consumer");
    command->add_option("--channel", options->channel, "only jobs of this channel");
    command->add_option("--handler", options->handler, "only jobs of this handler");
    command->add_option("--event-type", options->event_type, "only jobs of this event type");
    command->add_option("--workspace", options->workspace, "only jobs of this workspace");
    command->add_option("--limit", options->limit, "maximum number of jobs")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_flag("--dry-run", options->dry_run, "list the jobs and change nothing");
    options->why = add_audit_options(*command, asks::for_confirmation);
    command->footer(
        "A job that waits is never run. The handler of one that runs is asked to stop at the next\n"
        "heartbeat of its worker, and its outcome does not count. Cancelled jobs are discarded; "
        "until\n"
        "retention removes them, `postrider dead-letters restore` makes them dead letters.\n\n"
        "Examples:\n"
        "  postrider jobs cancel --consumer mail --event-type newsletter --dry-run\n"
        "  postrider jobs cancel 0190a0b4-0000-7000-8000-000000000042 --reason 'ordered twice'\n"
        "  postrider jobs cancel --unique-key page:42 --consumer search --yes --reason 'page "
        "deleted'\n"
        "  postrider jobs cancel --consumer mail --event-type newsletter --reason 'wrong text' "
        "--json");
    command->callback([&shared, options] { run_cancel(shared, *options); });
}

std::string percentage(const store::listing& rows, int row) {
    const auto fraction = rows.text(row, "fraction");
    return fraction.empty() ? "" : fmt::format("{:.0f} %", std::stod(fraction) * 100);
}

void show_job(const context& shared, const std::string& text) {
    const auto id = uuid::parse(text).text();
    operator_session session(shared);
    const auto places = store::job_places(session, id);
    const auto progress = store::progress_of(session, id);
    if (places.empty()) {
        throw error(errc::message_not_found,
                    "no consumer has message " + id + "; it may be past its retention");
    }
    const auto attempts = store::attempts(session, id);
    if (shared.json) {
        fmt::print("{}\n", printable_json(json_object()
                                              .add("id", id)
                                              .add_raw("places", places.array())
                                              .add_raw("progress", progress.array())
                                              .add_raw("attempts", attempts.array())
                                              .text()));
        return;
    }
    print_listing(shared, places,
                  {{"consumer", "consumer"},
                   {"handler", "handler"},
                   state_column("state", "state", "job"),
                   {"at", "at", kind::time},
                   {"attempts", "attempts", kind::number},
                   {"worker", "worker"},
                   {"unique key", "unique_key"},
                   {"error class", "error_class", kind::last}},
                  {.nothing = {}});
    if (!progress.empty()) {
        fmt::print("\n");
        print_listing(shared, progress,
                      {{"handler", "handler"},
                       {"progress", "fraction", kind::number, percentage},
                       {"recorded", "recorded_at", kind::time},
                       {"text", "text"},
                       {"result", "result", kind::last}},
                      {.nothing = {}});
    }
    print_attempts(attempts, "");
}

}  // namespace

void add_jobs(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("jobs", "Show the state of a job, or cancel jobs");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider jobs show 0190a0b4-0000-7000-8000-000000000042\n"
        "  postrider jobs cancel --unique-key page:42 --consumer search --reason 'page deleted'");
    auto* show = group->add_subcommand(
        "show", "Show the state and progress of a job, per consumer and handler");
    const auto id = std::make_shared<std::string>();
    show->add_option("id", *id, "id of the message")->required();
    show->footer(
        "state is queued, waiting, blocked (by another job of its unique key or ordering key), "
        "retrying,\n"
        "in flight, delivered, dead, cancelled or discarded; `at` is when it is due, began or "
        "ended.\n"
        "Then follow the progress that handlers recorded and the newest 20 failed attempts of "
        "each\n"
        "delivery.\n\n"
        "Examples:\n"
        "  postrider jobs show 0190a0b4-0000-7000-8000-000000000042\n"
        "  postrider jobs show 0190a0b4-0000-7000-8000-000000000042 --json");
    show->callback([&shared, id] { show_job(shared, *id); });
    add_cancel(*group, shared);
}

}  // namespace postrider::cli
