#include "cli/dead_letters/dead_filter.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <postrider/error.hpp>

#include "base/encoding/uuid.hpp"

namespace postrider::cli {

bool is_delivery(const std::string& id) {
    if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos) {
        return false;
    }
    std::int64_t number = 0;
    if (std::from_chars(id.data(), id.data() + id.size(), number).ec != std::errc{}) {
        throw usage_error("delivery id out of range: " + id);
    }
    return true;
}

void require_id(const std::string& id) {
    if (is_delivery(id)) {
        return;
    }
    try {
        static_cast<void>(uuid::parse(id));
    } catch (const usage_error&) {
        throw usage_error("'" + id +
                          "' is neither a delivery id (a number) nor a message id (a UUID)");
    }
}

store::dead_filter filter_options::filter(pg::connection& session) const {
    auto made = nlohmann::json::object();
    const auto add = [&](const char* key, const std::string& value) {
        if (!value.empty()) {
            made[key] = value;
        }
    };
    add("consumer", consumer);
    add("channel", channel);
    add("handler", handler);
    add("event_type", type);
    add("source", source);
    add("workspace_id", workspace);
    add("fingerprint", fingerprint);
    add("error_class", error_class);
    add("error", error);
    add("dead_after", since.empty() ? since : store::instant_ago(session, since));
    add("dead_before", until.empty() ? until : store::instant_ago(session, until));
    add("replay", replay);
    for (const auto& id : ids) {
        require_id(id);
        if (is_delivery(id)) {
            made["deliveries"].push_back(std::stoll(id));
        } else {
            made["ids"].push_back(id);
        }
    }
    if (made.contains("deliveries") && made.contains("ids")) {
        throw usage_error("give either delivery ids (numbers) or message ids (UUIDs), not both");
    }
    if (all_must_be_said && made.empty() != all) {
        throw usage_error(all ? "--all cannot be combined with a filter"
                              : "select dead letters with a filter, or use --all");
    }
    return made.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_expected_option(CLI::App& command, store::expected_count& expected) {
    command
        .add_option("--expected", expected,
                    "maximum number of dead letters; more of them are refused")
        ->check(CLI::NonNegativeNumber);
}

std::shared_ptr<filter_options> add_filter_options(CLI::App& command, all_of_them when) {
    auto options = std::make_shared<filter_options>();
    const auto group = "Filter (all conditions must match)";
    const auto option = [&](const char* name, std::string& to, const char* meaning) {
        command.add_option(name, to, meaning)->group(group);
    };
    option("--consumer", options->consumer, "of this consumer");
    option("--channel", options->channel, "of this channel");
    option("--handler", options->handler, "of this handler");
    option("--type", options->type, "of this event type");
    option("--source", options->source, "published by this source");
    option("--workspace", options->workspace, "of this workspace, a UUID");
    option("--fingerprint", options->fingerprint,
           "with this fingerprint: see `postrider dead-letters groups`");
    option("--class", options->error_class, "of this error class");
    option("--error", options->error, "with this text in the error");
    option("--since", options->since, "that died at or after this instant, or within: 90m, 2h, 3d");
    option("--until", options->until, "that died before this instant, or longer ago than: 2h");
    option("--replay", options->replay, "that died again in this replay, an id");
    command.add_option("--id", options->ids, "deliveries (numbers) or messages (UUIDs)")
        ->group(group);
    if (when == all_of_them::when_said) {
        options->all_must_be_said = true;
        command.add_flag("--all", options->all, "all dead letters")->group(group);
    }
    return options;
}

}  // namespace postrider::cli
