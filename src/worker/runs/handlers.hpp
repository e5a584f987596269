#pragma once

#include <chrono>
#include <postrider/worker.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/work/workers.hpp"

namespace postrider::working {

/// Maximum of all timeouts: the server counts them in milliseconds, in 32 bits.
inline constexpr std::chrono::milliseconds timeout_max = std::chrono::hours(24 * 24);

/// One registered handler; exactly one of its functions is set.
struct handler {
    std::string name;
    std::vector<std::string> patterns;
    handler_options options;
    handler_function plain;
    transactional_function transactional;
    batch_function batch;

    /// Whether it waits for full batches; otherwise its messages are scheduled like single events.
    bool in_batches() const { return batch && options.batch_max > 0; }
};

/// As register_worker() takes it. direction: "to" or "from".
std::string as_json(const broker_place& place, std::string_view direction);

/// Throws usage_error for a name that PostgreSQL cannot store.
void require_text(std::string_view name, const std::string& field);

/// True when the pattern matches the event type.
bool matches(std::string_view event_type, std::string_view pattern);

/// All handlers of a worker. Immutable once the worker has started.
class handler_table {
  public:
    /// Throws usage_error for a duplicate name and for invalid options.
    void add(handler one);

    bool empty() const { return all_.empty(); }
    const std::vector<handler>& all() const { return all_; }
    const handler* find(std::string_view name) const;
    std::vector<const handler*> for_type(std::string_view event_type) const;

    std::chrono::milliseconds longest_timeout() const;
    int largest_batch() const;  ///< 1 without batch handlers
    /// Batch handlers and their batch_max.
    std::vector<std::pair<std::string, int>> batches() const;
    std::vector<store::handler_registration> registrations() const;

  private:
    std::vector<handler> all_;
};

/// Caches the handlers of each event type. One per thread: it has no lock.
class route_cache {
  public:
    explicit route_cache(const handler_table& table) : table_(table) {}
    const std::vector<const handler*>& operator[](std::string_view event_type);

  private:
    struct hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    const handler_table& table_;
    std::unordered_map<std::string, std::vector<const handler*>, hash, std::equal_to<>> known_;
};

}  // namespace postrider::working
