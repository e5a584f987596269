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
#include "store/operator_settings.hpp"

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
        throw usage_error("--reason is missing: say why, it goes into the audit");
    }
    return {actor, reason};
}

std::shared_ptr<audit_options> add_audit_options(CLI::App& command, asks what) {
    auto given = std::make_shared<audit_options>();
    given->actor = whoami();
    command.add_option("--reason", given->reason, "why; goes into the audit (required)");
    command.add_option("--actor", given->actor, "who; default: user and host");
    if (what == asks::for_confirmation) {
        command.add_flag("--yes,-y", given->yes, "do it without asking");
    }
    return given;
}

bool confirmed(const audit_options& given, const std::string& question) {
    if (given.yes) {
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
