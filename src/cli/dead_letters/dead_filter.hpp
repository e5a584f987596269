#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pg/connection.hpp"
#include "store/operate/dead_letters.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// The options that select dead letters.
struct filter_options {
    std::string consumer;
    std::string channel;
    std::string handler;
    std::string type;
    std::string source;
    std::string workspace;
    std::string fingerprint;
    std::string error_class;
    std::string error;
    std::string since;
    std::string until;
    std::string replay;
    std::vector<std::string> ids;
    bool all = false;
    bool all_must_be_said = false;

    /// Throws usage_error for invalid values and for an empty filter.
    store::dead_filter filter(pg::connection& session) const;
};

/// Adds --expected: a change of more dead letters is refused.
void add_expected_option(CLI::App& command, store::expected_count& expected);

enum class all_of_them { by_default, when_said };

/// when_said: an empty filter is an error without --all.
std::shared_ptr<filter_options> add_filter_options(CLI::App& command, all_of_them when);

/// Deliveries are numbers, messages have UUIDs.
bool is_delivery(const std::string& id);
/// Throws usage_error for text that is neither a delivery id nor a message id.
void require_id(const std::string& id);

}  // namespace postrider::cli
