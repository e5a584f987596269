#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <postrider/worker.hpp>
#include <string>
#include <vector>

#include "base/uuid.hpp"
#include "pg/connection.hpp"
#include "store/claim.hpp"
#include "worker/alert_desk.hpp"
#include "worker/crew.hpp"
#include "worker/doorbell_keeper.hpp"
#include "worker/ledger.hpp"
#include "worker/listener.hpp"
#include "worker/pace.hpp"
#include "worker/pause.hpp"
#include "worker/wake_event.hpp"

namespace postrider::working {

/// After the grace period, for handlers that were asked to stop.
inline constexpr auto last_chance = std::chrono::milliseconds(1000);

/// The one thread that speaks to the database. It claims what the crew can begin soon, reports what
/// the crew has finished together with the next claim, keeps the worker alive, waits for the
/// doorbell when there is nothing to do, and connects again when it has to.
class coordinator {
  public:
    coordinator(worker_options options, std::shared_ptr<crew> hands);

    /// Called once: when the worker is registered, or when it cannot be (the exception), or, with
    /// neither, when the database cannot be reached yet.
    using first_news = std::function<void(std::exception_ptr)>;

    /// Until stopped. Throws only what makes the worker impossible from the start.
    void run(const first_news& tell);
    /// Everything that is there or due now, on the calling thread; gives how many runs.
    int drain();
    /// Gives back what is left, at the end of run() or after the last drain(). Nothing in here may
    /// keep the worker from ending.
    void leave() noexcept;

    /// Asked to stop so many times, all in all. Once: finish in peace. Twice: at once. Safe in a
    /// signal handler.
    void request_stop(int times) noexcept;
    int stops() const noexcept { return stops_.load(); }

  private:
    // coordinator.cpp: the loop
    void turn();
    void absorb();
    void in_trouble(const std::exception& problem);

    // waiting.cpp: for a time, a bell or the crew
    void stand_by();
    void linger(clock::time_point now);
    clock::time_point next_turn(clock::time_point now) const;
    clock::time_point next_due_turn() const;
    void wait_until(clock::time_point when);
    bool hear(bool something);

    // doorbell.cpp: whether NOTIFY announces messages
    void tend_doorbell(clock::time_point now);
    void ask_doorbell();
    bool watches_doorbell() const;
    bool announced() const;

    // connecting.cpp: sessions, signs of life, housekeeping
    void connect();
    void connect_listener();
    void lose_listener(const std::exception& problem);
    void keep_alive(clock::time_point now);
    void extend_leases(clock::time_point now);
    void give_back_waiting(clock::time_point now);
    void doubt(clock::time_point now);
    void abandon(const std::shared_ptr<held_batch>& batch);
    void drop(const std::shared_ptr<held_batch>& lost);
    void keep_house(clock::time_point now);
    void stop_overdue(clock::time_point now);

    // trading.cpp: of the log
    void trade(clock::time_point now, bool reported = false);
    int wanted(bool reporting) const;
    void exchange_one(const std::shared_ptr<held_batch>& report, int limit);
    void exchange_many(std::span<const std::shared_ptr<held_batch>> reports, int limit);
    store::exchange_request request(const std::shared_ptr<held_batch>& report, int limit);
    void take(store::claimed_batch batch, const std::shared_ptr<held_batch>& report, int limit);
    void report_singly(const std::shared_ptr<held_batch>& report);

    // releasing.cpp: messages that no thread can begin soon
    void release_waiting(clock::time_point now);
    clock::time_point next_release(clock::time_point now) const;

    // trading_due.cpp: of what is due
    /// Whether there was something to report.
    bool report_due();
    void take_due(clock::time_point now);
    int claim_due(int runs, bool alone);
    void wish_for_hand(bool wished);
    void refresh_due(clock::time_point now);
    void quiesce(clock::time_point now, bool idle);

    // duties.cpp: what is done beside the messages
    void tend_alerts(clock::time_point now);
    void settle_alerts();
    void claim_alerts(clock::time_point now);
    std::vector<store::alert_place> sendable_alerts();
    void expect_alerts();
    void step_replays(clock::time_point now);
    void run_retention(clock::time_point now);
    void watch_notifications(double usage);

    // stopping.cpp
    bool nothing_left(clock::time_point now) const;
    void begin_stop(clock::time_point now);
    bool stopped(clock::time_point now);

    void say(level how, std::string_view state, std::string_view message) const;
    void measure(std::string_view operation, clock::time_point began) const;
    pg::watchdog::guard watch(const pg::connection& session);
    pg::connection& session() { return *session_; }

    worker_options options_;
    std::shared_ptr<crew> crew_;
    std::shared_ptr<sink> reports_;
    std::string channel_;
    uuid id_ = uuid::random();
    std::optional<pg::connection> session_;
    listener listener_;
    doorbell_keeper keeper_;
    ledger ledger_;
    pace pace_;
    crew::stuck_work stuck_;  ///< threads that will not begin anything soon, as absorb() found them
    clock::time_point next_release_ = {};
    int release_most_ = 0;  ///< messages to release at once
    alert_desk alerts_;
    bool registered_before_ = false;
    bool cut_ = false;  ///< the watchdog ended the call that failed

    pause trouble_;           ///< the work session
    pause listener_trouble_;  ///< the listener
    pause keeper_trouble_;    ///< the keeper, ours or another
    bool deaf_ = false;       ///< NOTIFY does not arrive although we listen
    bool was_announced_ = true;
    bool kept_ = true;  ///< as far as we know a keeper serves the channel
    clock::time_point last_beat_ = {};
    clock::time_point next_beat_ = {};
    clock::time_point next_house_ = {};
    clock::time_point next_maintain_ = {};
    clock::time_point next_overdue_ = {};
    clock::time_point next_sweep_ = {};
    clock::time_point next_doorbell_ = {};
    pause alert_trouble_;
    bool alert_targets_known_ = false;       ///< the database knows them
    bool alert_targets_introduced_ = false;  ///< it has heard of them from this process before
    bool alerts_stale_ = false;              ///< something may have died since they were asked for
    clock::time_point next_alerts_ = {};
    clock::time_point last_alerts_ = {};
    clock::time_point next_replay_ = {};
    clock::time_point next_retention_ = clock::time_point::max();
    level queue_level_ = level::info;  ///< how worrying the server's queue of notifications is
    bool doubted_ = false;  ///< nobody heard of us for so long that others may have what we hold

    bool dry_ = false;       ///< the last claim found nothing and no NOTIFY came since
    bool rung_ = false;      ///< somebody rang and nothing was found for it yet
    bool due_stale_ = true;  ///< next_due_ must be asked for
    bool wished_ = false;    ///< for a free hand for what is due
    std::vector<std::pair<std::string, int>> due_batches_;  ///< what batch handlers take at once
    bool quiesce_ = false;  ///< let everything finish: something has to run alone
    std::optional<clock::time_point> next_due_ = {};
    clock::time_point next_due_question_ = {};
    clock::time_point next_quiesce_ = {};
    clock::time_point quiesce_over_ = {};
    clock::duration quiesce_for_ = {};
    std::optional<clock::time_point> look_soon_ = {};
    clock::duration look_soon_after_ = clock::duration::max();

    std::atomic<int> stops_ = 0;
    bool stopping_ = false;
    clock::time_point grace_over_ = {};
    bool asked_ = false;              ///< handlers were asked to stop
    std::vector<std::int64_t> seqs_;  ///< of the report that is being sent
};

}  // namespace postrider::working
