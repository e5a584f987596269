#pragma once

#include <postrider/postrider.hpp>
#include <string>
#include <vector>

#include "chaos/faults/random_source.hpp"
#include "chaos/record/history.hpp"

namespace postrider::chaos {

/// Publishes one transaction and records its result: `intent` for every message before anything is
/// sent, then `committed`, `rolled_back` or `in_doubt`. A transaction with intents and none of
/// these belongs to a process that was killed, and is in doubt as well.
class publishing {
  public:
    publishing(history& to, std::string process) : to_(to), process_(std::move(process)) {}

    enum class ending { commit, roll_back };
    enum class way { one_by_one, many, view, keyed };
    struct plan {
        std::vector<message> messages;
        way how = way::one_by_one;
        bool early_id = false;  ///< it gets its transaction id long before it waits for an account
        ending end = ending::commit;
        /// How long the transaction stays open before it ends.
        std::chrono::milliseconds pause{0};
    };
    /// False when the database could not be reached or the outcome is in doubt.
    bool carry_out(connection& on, const plan& planned);

  private:
    void write_intents(const plan& planned, const std::string& transaction);

    history& to_;
    std::string process_;
    int transactions_ = 0;
};

/// A message of a random kind with an id of its own.
message random_message(random_source& random, std::int64_t generation);
/// One of a given type; `extra` is added to the payload's members.
message message_of(const std::string& type, const std::string& extra = "");

struct publisher_options {
    std::string name;
    std::string database;
    std::string directory;  ///< of the run
    std::uint64_t seed = 0;
    int rate = 100;  ///< messages per second, about
    std::chrono::milliseconds long_transaction{60000};
};

/// A publisher process: until SIGTERM. Four sessions: one with transactions of up to 20 ms, one
/// with transactions of 50 to 800 ms, one that keeps each transaction open for `long_transaction`,
/// and one that changes accounts and publishes with ordering keys.
int run_publisher(const publisher_options& options);

}  // namespace postrider::chaos
