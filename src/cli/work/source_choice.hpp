#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/source.hpp>
#include <string>

namespace postrider::cli {

/// The options of `work` that name a broker to receive from.
struct source_choice {
    std::string from;
    std::string stream;
    std::string group;
    std::string subject;
    std::string redeliver_after = "30s";
    std::string nats_credentials;

    void add_to(CLI::App& command);
    /// Null: messages come from the log. Throws usage_error for options that cannot work, and for
    /// credentials in --source, where every user of the machine can read them.
    std::shared_ptr<source> make(const std::string& consumer, const std::string& database) const;
};

}  // namespace postrider::cli
