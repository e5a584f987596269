#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/json.hpp"
#include "base/uuid.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "serve/auth/secret.hpp"
#include "store/tokens.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

struct token_flags {
    std::string name;
    std::string role = "viewer";
    std::string workspace;
    std::string expires_in;
    bool all = false;
    bool quiet = false;
};

void create(const context& shared, const token_flags& given, const audit_options& why) {
    operator_session session(shared);
    const auto token = serve::make_token();
    store::new_token made{
        .name = given.name, .sha256 = serve::sha256_hex(token), .role = given.role};
    if (!given.workspace.empty()) {
        static_cast<void>(uuid::parse(given.workspace));
        made.workspace = given.workspace;
    }
    if (!given.expires_in.empty()) {
        made.expires_at = store::instant_in(session, given.expires_in);
    }
    store::create_token(session, made, why.entry());
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("name", given.name)
                               .add("role", given.role)
                               .add("token", token)
                               .text());
    } else {
        // Alone on stdout, to be piped to where it is kept; it is shown this once.
        fmt::print("{}\n", token);
    }
}

void add_create(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("create", "Make a token and print it, this once");
    const auto given = std::make_shared<token_flags>();
    command->add_option("name", given->name, "what the audit calls its holder")->required();
    command->add_option("--role", given->role, "what it may do")
        ->check(CLI::IsMember({"viewer", "operator", "admin"}))
        ->capture_default_str();
    command->add_option("--workspace", given->workspace, "the only one it sees, a UUID");
    command->add_option("--expires-in", given->expires_in, "a time from now: 12h, 30d");
    const auto why = add_audit_options(*command, asks::nothing);
    command->footer(
        "Only its hash is stored.\n\nExample:\n"
        "  postrider token create ann --role operator --expires-in 30d --reason 'on call'");
    command->callback([&shared, given, why] { create(shared, *given, *why); });
}

void add_list(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("list", "List tokens that are in use");
    const auto given = std::make_shared<token_flags>();
    command->add_flag("--all", given->all, "those that are revoked or expired, too");
    command->add_flag("--quiet,-q", given->quiet, "print only their names");
    command->footer("Example:\n  postrider token list --all");
    command->callback([&shared, given] {
        operator_session session(shared);
        print_listing(shared, store::tokens(session, given->all),
                      {{"name", "name"},
                       {"role", "role"},
                       {"workspace", "workspace_id"},
                       {"created", "created_at", kind::time},
                       {"expires", "expires_at", kind::time},
                       {"revoked", "revoked_at", kind::time},
                       {"by", "created_by", kind::last}},
                      {.nothing = "no tokens", .quiet_column = "name", .quiet = given->quiet});
    });
}

void add_revoke(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("revoke", "End a token; it is refused within seconds");
    const auto given = std::make_shared<token_flags>();
    command->add_option("name", given->name, "of this one")->required();
    const auto why = add_audit_options(*command, asks::nothing);
    command->footer("Example:\n  postrider token revoke ann --reason 'left the team'");
    command->callback([&shared, given, why] {
        operator_session session(shared);
        store::revoke_token(session, given->name, why->entry());
        if (shared.json) {
            fmt::print("{}\n", json_object().add("revoked", given->name).text());
        } else {
            fmt::print("{} is revoked\n", given->name);
        }
    });
}

}  // namespace

void add_token(CLI::App& app, context& shared) {
    auto* group = app.add_subcommand("token", "Access tokens of `postrider serve`");
    group->require_subcommand(1);
    group->footer(
        "Examples:\n"
        "  postrider token create ann --role operator --expires-in 30d --reason 'on call'\n"
        "  postrider token list\n"
        "  postrider token revoke ann --reason 'left the team'");
    add_create(*group, shared);
    add_list(*group, shared);
    add_revoke(*group, shared);
}

}  // namespace postrider::cli
