#include <algorithm>
#include <deque>
#include <optional>
#include <postrider/error.hpp>
#include <postrider/source.hpp>
#include <thread>

#include "base/json/json.hpp"
#include "base/json/json_members.hpp"
#include "client/received_event.hpp"
#include "pg/connection.hpp"
#include "pg/conninfo.hpp"
#include "store/messages/encode.hpp"

namespace postrider {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t queue_bytes_max = 47;  // pgmq's limit
// Producers of the queue decide how large messages are. These are bytes of text: as jsonb, a number
// like 1e130900 is short.
constexpr int bytes_at_once = 64 << 20;
constexpr int bytes_max = 128 << 20;
constexpr int at_once_most = 1'000'000;
// A message that is too large costs seconds per read, so the others come first for an hour.
constexpr std::int64_t hidden_s = 3600;

// The last column: now; later, because it does not fit beside those before it; or never. The text
// of a message is made twice, once to measure it, so that no large one is kept.
std::string read_messages(bool has_headers) {
    const std::string headers = has_headers ? "r.headers" : "null::jsonb";
    return "select m.msg_id, m.read_ct,"
           " extract(epoch from greatest(least(m.enqueued_at, now()), 'epoch')) * 1000000,"
           " case m.how when 'now' then m.message end,"
           " case when m.how = 'now' and jsonb_typeof(m.headers) = 'object' then m.headers end,"
           " m.how"
           " from (select s.*, case when s.bytes > $5 then 'never'"
           " when sum(s.bytes) filter (where s.bytes <= $5) over (order by s.ordinality) = s.bytes"
           " or sum(s.bytes) filter (where s.bytes <= $5) over (order by s.ordinality) <= $4"
           " then 'now' else 'later' end as how"
           " from (select r.msg_id, r.read_ct, r.enqueued_at, r.message, r.ordinality, "
           "coalesce(octet_length(r.message::text), 0)::bigint"
           " + coalesce(octet_length((" +
           headers + ")::text), 0) as bytes, " + headers +
           // "offset 0" keeps the planner from measuring once for each use of the size.
           " as headers from pgmq.read($1, $2, $3) with ordinality r offset 0) s) m"
           " order by m.ordinality";
}

std::vector<std::pair<std::string, std::string>> read_headers(std::string_view json) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& [name, value] : json_members(json)) {
        all.emplace_back(name, value.starts_with('"') ? json_unquoted(value) : std::string(value));
    }
    return all;
}

class pgmq_queue final : public source {
  public:
    explicit pgmq_queue(pgmq_options how) : how_(std::move(how)) {}

    // A queue has no signal, so an empty one is read again after the wait.
    std::vector<received_message> fetch(int limit, milliseconds wait) override {
        std::vector<received_message> all;
        if (limit == 0) {
            return all;
        }
        notice_.clear();
        const auto rows = read_rows(limit);
        std::vector<std::string> later;
        std::vector<std::string> never;
        for (int row = 0; rows && row < rows->rows(); ++row) {
            if (const auto how = rows->text(row, 5); how == "now") {
                all.push_back(read(*rows, row));
            } else {
                (how == "later" ? later : never).emplace_back(rows->text(row, 0));
            }
        }
        if (rows) {
            at_once_ = later.empty() ? std::min(at_once_ * 2, at_once_most)
                                     : std::max(static_cast<int>(all.size()), 1);
        }
        if (!later.empty()) {
            leave(later);
        }
        if (!never.empty()) {
            put_aside(never, "larger than 128 MB as text");
        }
        if (all.empty() && later.empty() && notice_.empty()) {
            std::this_thread::sleep_for(wait);
        }
        return all;
    }
    void acknowledge(std::span<const std::string> receipts) override {
        session().exec_params("select pgmq.delete($1, $2::bigint[])",
                              pg::params(how_.queue, array_of(receipts)));
    }
    void give_back(std::span<const std::string> receipts) override { hide(receipts, 0); }
    void keep_alive(std::span<const std::string> receipts) override {
        hide(receipts, visibility());
    }
    milliseconds keep_alive_interval() const override { return how_.redeliver_after / 3; }
    std::string notice() override { return notice_; }
    void close() override { session_.reset(); }

  private:
    pg::connection& session() {
        if (!session_ || !session_->alive()) {
            session_.reset();
            session_.emplace(how_.database);
            // A deletion that a crash of the server loses makes the message visible again. The
            // search_path excludes functions of other users.
            session_->exec("set synchronous_commit = off; set search_path = pg_catalog, pg_temp");
            read_messages_ = read_messages(has_headers(*session_));
        }
        return *session_;
    }
    // Since version 1.5.
    static bool has_headers(pg::connection& session) {
        return session
                   .exec(
                       "select from pg_attribute where attname = 'headers'"
                       " and attrelid = to_regclass('pgmq.message_record')")
                   .rows() > 0;
    }
    // None when the next message cannot be read, which is then hidden.
    std::optional<pg::result> read_rows(int limit) {
        for (const int count : {std::min(limit, at_once_), 1}) {
            try {
                return session().exec_params(read_messages_.c_str(),
                                             pg::params(how_.queue, visibility(), count,
                                                        static_cast<std::int64_t>(bytes_at_once),
                                                        static_cast<std::int64_t>(bytes_max)));
            } catch (const error& problem) {
                // Its text exceeds a limit of PostgreSQL, 1 GB for example.
                if (!problem.sqlstate().starts_with("54") && problem.sqlstate() != "53200") {
                    throw;
                }
                at_once_ = 1;
                if (count == 1) {
                    const auto next = session().exec_params(
                        "select msg_id from pgmq.read($1, 1, 1)", pg::params(how_.queue));
                    if (next.rows() > 0) {
                        put_aside({std::string(next.text(0, 0))}, problem.what());
                    }
                    return std::nullopt;
                }
            }
        }
        return std::nullopt;
    }
    void put_aside(const std::vector<std::string>& receipts, const std::string& why) {
        hide(receipts, hidden_s);
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
    std::int64_t visibility() const {
        return std::chrono::ceil<seconds>(how_.redeliver_after).count();
    }
    static std::string array_of(std::span<const std::string> receipts) {
        std::string all = "{";
        for (const auto& one : receipts) {
            all += (all.size() > 1 ? "," : "") + one;
        }
        return all + "}";
    }
    void hide(std::span<const std::string> receipts, std::int64_t for_seconds) {
        // Without columns: set_vt() returns the whole message.
        session().exec_params(
            "select from unnest($2::bigint[]) n(i) cross join pgmq.set_vt($1::text, n.i, $3::int)",
            pg::params(how_.queue, array_of(receipts), for_seconds));
    }
    // Resets the read count too: a message that was read before counts as one that a lost worker
    // had.
    void leave(const std::vector<std::string>& receipts) {
        const auto unread = "update pgmq.q_" + how_.queue +
                            " set vt = clock_timestamp(), read_ct = read_ct - 1"
                            " where msg_id = any ($1::bigint[])";
        session().exec_params(unread.c_str(), pg::params(array_of(receipts)));
    }
    received_message read(const pg::result& rows, int row) const {
        received_message made;
        made.receipt = rows.text(row, 0);
        made.deliveries = rows.get<int>(row, 1);
        const auto sent_at = static_cast<std::int64_t>(rows.get<double>(row, 2));
        // A queue that was dropped and made again counts from one.
        made.id = made.receipt + "." + std::to_string(sent_at);
        made.published_at =
            std::chrono::system_clock::time_point(std::chrono::microseconds(sent_at));
        made.metadata =
            json_object().add("queue", how_.queue).add_raw("msg_id", made.receipt).text();
        made.occurred_at = made.published_at;
        made.event_type = how_.queue;
        made.source = how_.queue;
        const auto headers = read_headers(rows.is_null(row, 4) ? "{}" : rows.text(row, 4));
        return client::read_event(
            std::move(made),
            [&](const std::string& name) -> std::optional<std::string> {
                const auto found =
                    std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
                return found == headers.end() ? std::nullopt : std::optional(found->second);
            },
            std::string(rows.text(row, 3)), client::binding::kafka);
    }

    const pgmq_options how_;
    int at_once_ = at_once_most;     ///< fewer while messages are large
    std::deque<std::string> named_;  ///< of the messages that were put aside
    std::size_t put_aside_ = 0;
    std::string notice_;
    std::string read_messages_;
    std::optional<pg::connection> session_;
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
    return std::make_shared<pgmq_queue>(std::move(options));
}

}  // namespace postrider
