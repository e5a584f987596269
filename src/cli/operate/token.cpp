#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/encoding/uuid.hpp"
#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/table.hpp"
#include "serve/auth/secret.hpp"
#include "store/operate/tokens.hpp"
#include "store/reads/views.hpp"

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

void create(const context& shared, const token_flags& flags, const audit_options& why) {
    operator_session session(shared);
    const auto token = serve::make_token();
    store::new_token made{
        .name = flags.name, .sha256 = serve::sha256_hex(token), .role = flags.role};
    if (!flags.workspace.empty()) {
        static_cast<void>(uuid::parse(flags.workspace));
        made.workspace = flags.workspace;
    }
    if (!flags.expires_in.empty()) {
        made.expires_at = store::instant_in(session, flags.expires_in);
    }
    store::create_token(session, made, why.entry());
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("name", flags.name)
                               .add("role", flags.role)
                               .add("token", token)
                               .text());
    } else {
        // The only output on stdout, so that it can be piped; it is never shown again.
        fmt::print("{}\n", token);
    }
}

void add_create(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("create", "Create a token and print it once");
    const auto flags = std::make_shared<token_flags>();
    command->add_option("name", flags->name, "name of the holder in the audit")->required();
    command->add_option("--role", flags->role, "role of the token")
        ->check(CLI::IsMember({"viewer", "operator", "admin"}))
        ->capture_default_str();
    command->add_option("--workspace", flags->workspace,
                        "restrict the token to this workspace, a UUID");
    command->add_option("--expires-in", flags->expires_in, "lifetime: 12h, 30d");
    const auto why = add_audit_options(*command, asks::nothing);
    command->footer(
        "The database stores only a hash of the token.\n\nExample:\n"
        "  postrider token create ann --role operator --expires-in 30d --reason 'on call'");
    command->callback([&shared, flags, why] { create(shared, *flags, *why); });
}

void add_token_list(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("list", "List valid tokens");
    const auto flags = std::make_shared<token_flags>();
    command->add_flag("--all", flags->all, "include revoked and expired tokens");
    command->add_flag("--quiet,-q", flags->quiet, "print only the names");
    command->footer("Example:\n  postrider token list --all");
    command->callback([&shared, flags] {
        operator_session session(shared);
        print_listing(shared, store::tokens(session, flags->all),
                      {{"name", "name"},
                       {"role", "role"},
                       {"workspace", "workspace_id"},
                       {"created", "created_at", kind::time},
                       {"expires", "expires_at", kind::time},
                       {"revoked", "revoked_at", kind::time},
                       {"by", "created_by", kind::last}},
                      {.nothing = "no tokens", .quiet_column = "name", .quiet = flags->quiet});
    });
}

void add_revoke(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("revoke", "Revoke a token; requests with it fail within seconds");
    const auto flags = std::make_shared<token_flags>();
    command->add_option("name", flags->name, "name of the token")->required();
    const auto why = add_audit_options(*command, asks::nothing);
    command->footer("Example:\n  postrider token revoke ann --reason 'left the team'");
    command->callback([&shared, flags, why] {
        operator_session session(shared);
        store::revoke_token(session, flags->name, why->entry());
        if (shared.json) {
            fmt::print("{}\n", json_object().add("revoked", flags->name).text());
        } else {
            fmt::print("{} is revoked\n", flags->name);
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
    add_token_list(*group, shared);
    add_revoke(*group, shared);
}

}  // namespace postrider::cli
