#pragma once

#include "worker/held_batch.hpp"

namespace postrider::working {

/// How much to hold and to hand out at once, by how fast the handlers are.
class pace {
  public:
    struct limits {
        int concurrency;
        int in_flight_max;
        int largest_batch;  ///< of batch handlers
    };

    explicit pace(limits given) : limits_(given) {}

    void learn(const finished_slice& done);
    /// Messages were released because no thread could begin them: until some hundred messages have
    /// finished, target() is the number of threads.
    void hold_back();
    /// Messages to hold besides those of stuck threads: running ones, and those that the other
    /// threads can begin soon.
    int target(int stuck_threads) const;
    /// A thread that works on a slice for longer than this is stuck.
    clock::duration stuck_after() const;
    /// Messages a thread takes at once: few when they are slow, so that all threads have some.
    int slice_size() const;

  private:
    limits limits_;
    double seconds_per_message_ = 0;  ///< 0: not known yet
    int held_back_for_ = 0;           ///< messages
};

}  // namespace postrider::working
