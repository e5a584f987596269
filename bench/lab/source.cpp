#include "bench/lab/source.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/engine/classic_queue.hpp"
#include "bench/lab/workload.hpp"
#include "pg/pipeline.hpp"

namespace postrider::bench {
namespace {

constexpr auto look_anyway = std::chrono::seconds(1);

class postrider_source : public source {
  public:
    explicit postrider_source(pg::connection session) : worker_(std::move(session)) {}
    int next(int limit) override {
        batch_ = &worker_.exchange(limit);
        return batch_->size();
    }
    std::string_view payload(int index) const override { return (*batch_)[index].payload(); }
    void be_woken() override {
        worker_.session().listen(channel);
        // While the doorbell is held, every publication sends NOTIFY.
        worker_.session().exec_params("select postrider.doorbell_hold($1)", pg::params(channel));
    }
    void wait() override { worker_.session().wait_notification(look_anyway); }

  private:
    static constexpr const char* channel = "outbox_default";
    bench_worker worker_;
    const store::claimed_batch* batch_ = nullptr;
};

// read() and delete() of many, the acknowledgement and the next read in one round trip.
class pgmq_source : public source {
  public:
    explicit pgmq_source(pg::connection session) : session_(std::move(session)) {
        session_.prepare("read", "select msg_id, message from pgmq.read('bench', 300, $1)");
        session_.prepare("delete", "select pgmq.delete('bench', $1::bigint[])");
    }
    int next(int limit) override {
        std::vector<std::int64_t> held;
        for (int row = 0; row < rows_.rows(); ++row) {
            held.push_back(rows_.get<std::int64_t>(row, 0));
        }
        pg::pipeline pipe(session_);
        if (!held.empty()) {
            pipe.send_prepared("delete", pg::params(fmt::format("{{{}}}", fmt::join(held, ","))),
                               pg::format::binary);
        }
        pipe.send_prepared("read", pg::params(limit), pg::format::binary);
        pipe.sync();
        if (!held.empty()) {
            pipe.receive();
        }
        rows_ = pipe.receive();
        pipe.receive_sync();
        return rows_.rows();
    }
    std::string_view payload(int index) const override { return rows_.text(index, 1); }
    void be_woken() override { session_.listen("pgmq.q_bench.INSERT"); }
    void wait() override { session_.wait_notification(look_anyway); }

  private:
    pg::connection session_;
    pg::result rows_;
};

// next_batch, get_batch_events, finish_batch; the first and the last share a round trip.
class pgq_source : public source {
  public:
    explicit pgq_source(pg::connection session) : session_(std::move(session)) {
        session_.prepare("next", "select pgq.next_batch('bench', 'bench')");
        session_.prepare("events", "select ev_id, ev_data from pgq.get_batch_events($1)");
        session_.prepare("finish", "select pgq.finish_batch($1)");
    }
    // The ticker decides how large a batch is.
    int next(int) override {
        for (;;) {
            pg::pipeline pipe(session_);
            if (batch_) {
                pipe.send_prepared("finish", pg::params(*batch_));
            }
            pipe.send_prepared("next", {});
            pipe.sync();
            if (batch_) {
                pipe.receive();
            }
            batch_ = pipe.receive().get<std::optional<std::int64_t>>(0, 0);
            pipe.receive_sync();
            if (!batch_) {
                return 0;
            }
            pipe.send_prepared("events", pg::params(*batch_), pg::format::binary);
            pipe.sync();
            rows_ = pipe.receive();
            pipe.receive_sync();
            if (rows_.rows() > 0) {
                return rows_.rows();
            }
        }
    }
    std::string_view payload(int index) const override { return rows_.text(index, 1); }
    void be_woken() override {}
    void wait() override { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

  private:
    pg::connection session_;
    std::optional<std::int64_t> batch_;
    pg::result rows_;
};

class classic_source : public source {
  public:
    classic_source(pg::connection session, classic_order order)
        : worker_(std::move(session), order) {}
    int next(int limit) override { return worker_.exchange(limit); }
    std::string_view payload(int index) const override { return worker_.payload(index); }
    void be_woken() override { worker_.session().listen("classic"); }
    void wait() override { worker_.session().wait_notification(look_anyway); }

  private:
    classic_worker worker_;
};

}  // namespace

std::unique_ptr<source> make_source(const std::string& system, pg::connection session) {
    if (system == "postrider") {
        return std::make_unique<postrider_source>(std::move(session));
    }
    if (system == "pgmq") {
        return std::make_unique<pgmq_source>(std::move(session));
    }
    if (system == "pgq") {
        return std::make_unique<pgq_source>(std::move(session));
    }
    if (system == "classic" || system == "classic_priority") {
        return std::make_unique<classic_source>(
            std::move(session), system == "classic" ? classic_order::due : classic_order::priority);
    }
    throw std::invalid_argument("no source is called " + system);
}

std::int64_t number_in(std::string_view payload) {
    constexpr std::string_view name = "\"order_id\":";
    const auto at = payload.find(name);
    if (at == std::string_view::npos) {
        throw std::runtime_error("a message without order_id");
    }
    const auto from = payload.find_first_not_of(' ', at + name.size());
    std::int64_t number = 0;
    std::from_chars(payload.data() + from, payload.data() + payload.size(), number);
    return number;
}

}  // namespace postrider::bench
