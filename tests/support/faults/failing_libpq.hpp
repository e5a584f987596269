#pragma once

#include <stdexcept>

namespace postrider::test {

/// Where a connection breaks.
enum class broken {
    before,  ///< the call finds it broken: nothing reaches the server
    answer,  ///< the request reaches the server, its answer is lost
    after,   ///< the call succeeds and the next one finds it broken
};

/// Its name in the names of tests.
const char* name_of(broken where);

/// While it lives, the n-th call of libpq in this process that talks to a server breaks its
/// connection: the socket is shut down underneath, so that libpq itself detects and reports it. One
/// at a time; threads count together. Only in tests that link postrider_failing_libpq, which puts
/// itself in front of libpq.
class failing_libpq {
  public:
    explicit failing_libpq(int nth, broken where = broken::before);
    failing_libpq(const failing_libpq&) = delete;
    failing_libpq& operator=(const failing_libpq&) = delete;
    ~failing_libpq();

    /// Calls since it was made, the broken one included.
    int calls() const;
    /// The n-th call has come.
    bool fired() const;

  private:
    int nth_;
};

/// Runs the scenario with its first call broken, then with its second, until a run has fewer calls;
/// returns their number. The scenario survives every break; after each run, and with libpq whole
/// again, `check` examines the result.
template <typename Scenario, typename Check>
int break_every_call(broken where, Scenario&& scenario, Check&& check) {
    constexpr int calls_max = 1000;
    for (int nth = 1; nth <= calls_max; ++nth) {
        const bool fired = [&] {
            const failing_libpq fault(nth, where);
            scenario();
            return fault.fired();
        }();
        check();
        if (!fired) {
            return nth - 1;
        }
    }
    throw std::runtime_error("break_every_call: the scenario does not come to an end");
}

}  // namespace postrider::test
