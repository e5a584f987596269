#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/reference/completion_script.hpp"

namespace postrider::cli {

void add_completion(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("completion", "Print the completion script of a shell");
    command->footer(
        "Packages install the scripts; this is for a shell without them.\n\n"
        "Examples:\n"
        "  source <(postrider completion bash)\n"
        "  postrider completion zsh > ~/.zfunc/_postrider\n"
        "  postrider completion fish > ~/.config/fish/completions/postrider.fish");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->callback([&app, &shared, shell] {
        const auto tree = command_tree(app);
        const auto script = *shell == "bash"  ? bash_completion(tree)
                            : *shell == "zsh" ? zsh_completion(tree)
                                              : fish_completion(tree);
        fmt::print("{}", shared.json ? json_object().add("script", script).text() + "\n" : script);
    });
}

}  // namespace postrider::cli
