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
    /// Messages to hold: what is running and what the threads can begin soon.
    int target() const;
    /// Messages a thread takes at once: few when they are slow, so that all threads have some.
    int slice_size() const;

  private:
    limits limits_;
    double seconds_per_message_ = 0;  ///< 0: not known yet
};

}  // namespace postrider::working
