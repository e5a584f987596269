#pragma once

#include "worker/batches/held_batch.hpp"

namespace postrider::working {

/// Back-pressure: how many messages to hold and to give to a thread at once, by the speed of the
/// handlers.
class pace {
  public:
    struct limits {
        int concurrency;
        int in_flight_max;
        int largest_batch;  ///< of batch handlers
    };

    explicit pace(limits bounds) : limits_(bounds) {}

    /// Ignores a slice without a duration: a part of one that is still under way.
    void learn(const finished_slice& done);
    /// Messages were released because no thread could start them: until some hundred messages have
    /// finished, target() is the number of threads.
    void hold_back();
    /// Messages to hold besides those of stuck threads: running ones, and those that the other
    /// threads can start soon.
    int target(int stuck_threads) const;
    /// Of these the ones that wait for a thread; none before the speed of handlers is known.
    int ahead(int stuck_threads) const;
    /// A thread that works on a slice for longer than this counts as stuck.
    clock::duration stuck_after() const;
    /// Messages a thread takes at once: few when they are slow, so that all threads have some.
    int slice_size() const;
    /// Messages of an ordering key to claim at once. One thread runs them one after the other, so
    /// they are few when they are slow, and when the other threads would have none.
    int chain_size(int claimed) const;

  private:
    limits limits_;
    double seconds_per_message_ = 0;  ///< 0: not known yet
    int held_back_for_ = 0;           ///< messages
};

}  // namespace postrider::working
