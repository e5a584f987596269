#include <algorithm>
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
        const auto rows = session().exec_params(
            "select r.msg_id, r.read_ct,"
            " extract(epoch from greatest(least(r.enqueued_at, now()), 'epoch')) * 1000000, "
            "r.message,"
            " case when jsonb_typeof(h) = 'object' then h end"
            " from pgmq.read($1, $2, $3) r"
            " cross join lateral (select to_jsonb(r) -> 'headers') as j(h)",
            pg::params(how_.queue, visibility(), limit));
        for (int row = 0; row < rows.rows(); ++row) {
            all.push_back(read(rows, row));
        }
        if (all.empty()) {
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
    void close() override { session_.reset(); }

  private:
    pg::connection& session() {
        if (!session_ || !session_->alive()) {
            session_.reset();
            session_.emplace(how_.database);
            // A deletion that a crash of the server loses makes the message visible again. Without
            // a path, functions that other users have made are not found.
            session_->exec("set synchronous_commit = off; set search_path = pg_catalog, pg_temp");
        }
        return *session_;
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
        session().exec_params(
            "select pgmq.set_vt($1::text, i, $3::int) from unnest($2::bigint[]) as n(i)",
            pg::params(how_.queue, array_of(receipts), for_seconds));
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
            rows.text(row, 3), client::binding::kafka);
    }

    const pgmq_options how_;
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
