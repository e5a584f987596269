#pragma once

#include <memory>
#include <string>

#include "cli/database.hpp"
#include "pg/connection.hpp"
#include "store/operate/dead_letters.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// The connection of an operator command. Instants are in UTC.
class operator_session {
  public:
    explicit operator_session(const context& shared);
    operator pg::connection&() { return session_; }  // NOLINT: implicit on purpose

  private:
    open_database database_;
    pg::connection session_;
};

/// The user and host of this process.
std::string whoami();

/// --reason, --actor and --yes of a command that changes data.
struct audit_options {
    std::string actor;
    std::string reason;
    bool yes = false;

    /// Throws usage_error without a reason.
    store::audit_entry entry() const;
};

enum class asks { for_confirmation, nothing };

/// A command that asks for confirmation has --yes.
std::shared_ptr<audit_options> add_audit_options(CLI::App& command, asks confirmation);

/// Asks on the terminal. Throws usage_error without a terminal and --yes. False: declined.
bool confirmed(const audit_options& options, const std::string& question);

/// Exit code when the user declined, or an item failed.
inline constexpr int not_done_exit = 1;

}  // namespace postrider::cli
