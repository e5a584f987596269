#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "support/faults/reply_scanner.hpp"

namespace postrider::test {

/// The behaviour of a gate.
struct gate_rules {
    enum class traffic { flowing, held, lost };
    traffic bytes = traffic::flowing;
    std::chrono::milliseconds delay{0};
    std::size_t part_max = 0;  ///< bytes per write; 0: any number
    std::string swallow = {};  ///< tag of the reply that is dropped, once
};

struct gate_counts {
    int accepted = 0;   ///< connections so far
    int open = 0;       ///< connections now
    int swallowed = 0;  ///< replies
    std::uint64_t to_server = 0;
    std::uint64_t to_client = 0;
    std::uint64_t writes = 0;   ///< both ways
    std::uint64_t waiting = 0;  ///< bytes that came and were not passed on yet
    std::uint64_t lost = 0;     ///< bytes that came and never will be
};

/// One connection through a gate: two sockets, owned, and the bytes between them.
class tcp_link {
  public:
    using clock = std::chrono::steady_clock;

    /// `server` is -1 when nothing is to be behind the gate.
    tcp_link(int client, int server);
    tcp_link(const tcp_link&) = delete;
    tcp_link& operator=(const tcp_link&) = delete;
    ~tcp_link();

    void add_sources(std::vector<pollfd>& to, const gate_rules& rules) const;
    /// When bytes that wait are due, if any do.
    std::optional<clock::time_point> next_due(const gate_rules& rules) const;
    /// Reads and writes without waiting.
    void work(gate_rules& rules, gate_counts& counts);
    std::size_t waiting() const;
    /// The owner of the link has to close both sides.
    bool over() const { return over_; }
    /// Bytes were lost, so later ones make no sense to either side.
    bool damaged() const { return damaged_; }
    /// Makes closing visible as a reset, not as an end.
    void reset();

  private:
    struct chunk {
        clock::time_point arrived;
        std::string bytes;
    };
    struct way {
        int from;
        int to;
        std::deque<chunk> waiting = {};
        std::size_t size = 0;
        bool ended = false;    // nothing more comes
        bool blocked = false;  // the last write found no room
    };

    void read(way& one, gate_rules& rules, gate_counts& counts);
    void keep(way& one, std::string bytes, gate_rules& rules, gate_counts& counts);
    void write(way& one, const gate_rules& rules, std::uint64_t& passed, std::uint64_t& writes);

    way up_;
    way down_;
    reply_scanner scanner_;
    bool over_ = false;
    bool damaged_ = false;
};

}  // namespace postrider::test
