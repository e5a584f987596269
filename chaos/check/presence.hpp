#pragma once

#include <map>
#include <string>

#include "chaos/check/facts.hpp"
#include "chaos/check/spans.hpp"

namespace postrider::chaos {

/// The times at which one worker process could begin a message.
struct worker_presence {
    const process_fact* worker = nullptr;
    /// It received notifications and the server answered its heartbeats, without a gap.
    spans connected = {};
    /// It held at least as many messages as it has threads, or the server was slow, or it ran a
    /// message alone.
    spans overloaded = {};
};

/// Which workers were connected and had a free thread, and which channels had a keeper. Derived
/// from heartbeats, claims and runs; a fault that no worker noticed explains no delay.
class presence {
  public:
    explicit presence(const facts& from);

    const std::map<std::string, worker_presence>& workers() const { return workers_; }
    /// Whether one keeper served the channel for the whole time.
    bool kept(const std::string& channel, const span& when) const;

  private:
    void add_signs(const std::string& process, const process_fact& of, instant longest_gap);
    void add_held(const facts& from);
    void add_alone(const obligation& owed, instant longest_wait);

    std::map<std::string, worker_presence> workers_;
    std::map<std::string, occupancy> held_;  ///< by process
    std::multimap<std::string, span> kept_;  ///< by channel, one keeper each
};

}  // namespace postrider::chaos
