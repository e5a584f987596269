#include "cli/operate/operating.hpp"

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <postrider/error.hpp>

#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operator_settings.hpp"

namespace postrider::cli {

std::string whoami() {
    const char* user = std::getenv("USER");
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0 || host.front() == '\0') {
        host = {"localhost"};
    }
    if (user == nullptr || *user == '\0') {
        const auto* entry = ::getpwuid(::getuid());
        user = entry == nullptr ? nullptr : entry->pw_name;
    }
    const std::string name = user != nullptr ? user : "uid " + std::to_string(::getuid());
    return name + "@" + host.data();
}

operator_session::operator_session(const context& shared)
    : database_(shared), session_(database_.session()) {
    session_.exec(store::operator_settings);
}

store::audit_entry audit_options::entry() const {
    if (reason.find_first_not_of(" \t\n") == std::string::npos) {
        throw usage_error("--reason is required; it is recorded in the audit");
    }
    return {actor, reason};
}

std::shared_ptr<audit_options> add_audit_options(CLI::App& command, asks confirmation) {
    auto options = std::make_shared<audit_options>();
    options->actor = whoami();
    command.add_option("--reason", options->reason, "reason, recorded in the audit (required)");
    command.add_option("--actor", options->actor,
                       "name recorded in the audit (default: user and host)");
    if (confirmation == asks::for_confirmation) {
        command.add_flag("--yes,-y", options->yes, "do not ask for confirmation");
    }
    return options;
}

bool confirmed(const audit_options& options, const std::string& question) {
    if (options.yes) {
        return true;
    }
    if (!is_terminal(STDIN_FILENO)) {
        throw usage_error(
            "confirmation needs a terminal: check what the command changes, then add --yes");
    }
    say("{} [y/N] ", question);
    std::string answer;
    std::getline(std::cin, answer);
    if (answer == "y" || answer == "Y" || answer == "yes") {
        return true;
    }
    say("nothing was done\n");
    return false;
}

}  // namespace postrider::cli
