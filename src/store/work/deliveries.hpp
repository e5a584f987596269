#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pg/connection.hpp"
#include "store/messages/envelope.hpp"
#include "store/work/outcome.hpp"

namespace postrider::store {

/// A due delivery of one handler, claimed for one run.
class due_delivery : public envelope {
  public:
    due_delivery(const pg::result& rows, int row)
        : envelope(rows, row, 7), rows_(&rows), row_(row) {}

    std::int64_t delivery_id() const { return rows_->get<std::int64_t>(row_, 0); }
    uuid lease_token() const { return uuid::from_bytes(rows_->text(row_, 1)); }
    instant deadline() const;
    std::string_view handler() const { return rows_->text(row_, 3); }
    int attempts() const { return rows_->get<int>(row_, 4); }  ///< this run included
    int cycle() const { return rows_->get<int>(row_, 5); }
    /// The last run crashed its worker: run this delivery alone.
    bool alone() const { return rows_->get<bool>(row_, 6); }

  private:
    const pg::result* rows_;
    int row_;
};

class due_batch {
  public:
    explicit due_batch(pg::result rows) : rows_(std::move(rows)) {}
    int size() const { return rows_.rows(); }
    bool empty() const { return rows_.empty(); }
    due_delivery operator[](int index) const { return {rows_, index}; }

  private:
    pg::result rows_;
};

struct claim_due_request {
    uuid worker;
    int limit = 10;  ///< free handler slots
    std::optional<std::chrono::milliseconds> deadline = {};
    bool alone = true;  ///< the worker is idle
    /// Batch handlers and their batch sizes.
    std::span<const std::pair<std::string, int>> batches = {};
    int hold = 0;  ///< deliveries that may wait for a thread, besides
};

/// Call once per connection, before claim_due() and settle_due().
void prepare_due(pg::connection& session);
due_batch claim_due(pg::connection& session, const claim_due_request& request);

struct delivery_outcome {
    std::int64_t delivery_id;
    uuid lease_token;
    outcome how;
    std::optional<std::string> error = {};
    std::optional<std::string> error_class = {};
    std::optional<std::chrono::milliseconds> delay = {};
    std::optional<std::chrono::microseconds> duration = {};
};

enum class delivery_result { pending, delivered, failed, lost_lease };

struct settled_delivery {
    std::int64_t delivery_id;
    delivery_result result;
};

std::vector<settled_delivery> settle_due(pg::connection& session, const uuid& worker,
                                         std::span<const delivery_outcome> outcomes);

/// Times until something is due for a worker, by the database's clock; zero when it is due already,
/// empty when nothing waits.
struct next_times {
    std::optional<std::chrono::microseconds> delivery;  ///< of the worker's handlers
    std::optional<std::chrono::microseconds> waiting;   ///< a message that was never handed out
};
next_times next_due(pg::connection& session, const uuid& worker);

}  // namespace postrider::store
