#include <algorithm>
#include <deque>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/source.hpp>
#include <thread>

#include "base/json/json.hpp"
#include "base/json/json_members.hpp"
#include "client/received_event.hpp"
#include "pg/conninfo.hpp"
#include "worker/sources/pgmq_session.hpp"

namespace postrider {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t queue_bytes_max = 47;  // pgmq's limit
constexpr int at_once_most = 1'000'000;
// A message that is too large costs seconds per read, so the others come first for an hour.
constexpr std::int64_t hidden_s = 3600;

std::vector<json_member> read_headers(std::string_view json) {
    static const auto names = client::header_names(client::binding::kafka);
    return json_members(json, std::vector<std::string_view>(names.begin(), names.end()));
}

class pgmq_queue final : public source {
  public:
    explicit pgmq_queue(const pgmq_options& how) : how_(how), session_(how) {}

    // A queue has no signal, so an empty one is read again after the wait.
    std::vector<received_message> fetch(int limit, milliseconds wait) override {
        std::vector<received_message> all;
        if (limit == 0) {
            return all;
        }
        notice_.clear();
        std::vector<std::string> later;
        std::vector<std::string> never;
        if (const auto rows = read_rows(limit)) {
            for (int row = 0; row < rows->rows(); ++row) {
                if (const auto how = rows->text(row, column::handling); how == pgmq_session::now) {
                    all.push_back(read(*rows, row));
                } else {
                    (how == pgmq_session::later ? later : never)
                        .emplace_back(rows->text(row, column::msg_id));
                }
            }
            at_once_ = later.empty() ? std::min(at_once_ * 2, at_once_most)
                                     : std::max(static_cast<int>(all.size()), 1);
        }
        if (!later.empty()) {
            session_.leave(later);
        }
        if (!never.empty()) {
            put_aside(never, "larger than 128 MB as text");
        }
        if (all.empty() && later.empty() && notice_.empty()) {
            std::this_thread::sleep_for(wait);
        }
        return all;
    }
    void acknowledge(std::span<const std::string> receipts) override { session_.remove(receipts); }
    void give_back(std::span<const std::string> receipts) override { session_.hide(receipts, 0); }
    void keep_alive(std::span<const std::string> receipts) override {
        session_.hide(receipts, session_.visibility());
    }
    milliseconds keep_alive_interval() const override { return how_.redeliver_after / 3; }
    std::string notice() override { return notice_; }
    void close() override { session_.close(); }

  private:
    using column = pgmq_session::column;

    // None: there is no message, or it cannot be read and was put aside.
    std::optional<pg::result> read_rows(int limit) {
        try {
            return session_.read(std::min(limit, at_once_));
        } catch (const error& problem) {
            if (pgmq_session::is_of_a_count(problem)) {
                note(session_.hide_uncountable(hidden_s), problem.what());
                return std::nullopt;
            }
            if (!pgmq_session::is_of_a_message(problem)) {
                throw;
            }
        }
        at_once_ = 1;
        const auto id = session_.take();
        if (!id) {
            return std::nullopt;
        }
        try {
            return session_.read_one(*id);
        } catch (const error& problem) {
            if (!pgmq_session::is_of_a_message(problem)) {
                throw;
            }
            put_aside({*id}, problem.what());
            return std::nullopt;
        }
    }
    void put_aside(const std::vector<std::string>& receipts, const std::string& why) {
        session_.hide(receipts, hidden_s);
        note(receipts, why);
    }
    void note(const std::vector<std::string>& receipts, const std::string& why) {
        // The worker does not log every notice, so each one names the messages before it, too.
        constexpr std::size_t named_most = 20;
        named_.insert(named_.end(), receipts.begin(), receipts.end());
        put_aside_ += receipts.size();
        while (named_.size() > named_most) {
            named_.pop_front();
        }
        std::string ids;
        for (const auto& id : named_) {
            ids += (ids.empty() ? "" : ", ") + id;
        }
        notice_ = "messages of the queue " + how_.queue +
                  " hidden for an hour: " + std::to_string(put_aside_) + ", the last ones " + ids +
                  " (" + why + ")";
    }
    received_message read(const pg::result& rows, int row) const {
        received_message made;
        made.receipt = rows.text(row, column::msg_id);
        made.deliveries = rows.get<int>(row, column::read_ct);
        const auto sent_at = static_cast<std::int64_t>(rows.get<double>(row, column::sent_at_us));
        // A queue that was dropped and made again counts from one.
        made.id = made.receipt + "." + std::to_string(sent_at);
        made.published_at =
            std::chrono::system_clock::time_point(std::chrono::microseconds(sent_at));
        made.metadata =
            json_object().add("queue", how_.queue).add_raw("msg_id", made.receipt).text();
        made.occurred_at = made.published_at;
        made.event_type = how_.queue;
        made.source = how_.queue;
        const auto headers = read_headers(
            rows.is_null(row, column::headers) ? "{}" : rows.text(row, column::headers));
        return client::read_event(
            std::move(made),
            [&](const std::string& name) -> std::optional<std::string> {
                const auto found = std::ranges::find(headers, name, &json_member::name);
                if (found == headers.end()) {
                    return std::nullopt;
                }
                return found->value.starts_with('"') ? json_unquoted(found->value)
                                                     : std::string(found->value);
            },
            std::string(rows.text(row, column::message)), client::binding::kafka);
    }

    const pgmq_options how_;
    int at_once_ = at_once_most;     ///< fewer while messages are large
    std::deque<std::string> named_;  ///< of the messages that were put aside
    std::size_t put_aside_ = 0;
    std::string notice_;
    pgmq_session session_;
};

}  // namespace

std::shared_ptr<source> pgmq_source(pgmq_options options) {
    pg::check_conninfo(options.database);
    const auto allowed = [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (options.queue.empty() || options.queue.size() > queue_bytes_max ||
        !std::ranges::all_of(options.queue, allowed)) {
        throw usage_error("pgmq has no queue named '" + options.queue +
                          "': at most 47 lower-case letters, digits and underscores");
    }
    if (options.redeliver_after < seconds(1)) {
        throw usage_error("redeliver_after must be at least 1 s");
    }
    return std::make_shared<pgmq_queue>(options);
}

}  // namespace postrider
