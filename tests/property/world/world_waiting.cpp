// Functions for claims of messages that wait: their due times, and packed messages.
#include <fmt/format.h>

#include <charconv>

#include "property/world/world.hpp"

namespace postrider::test {
namespace {

/// The binary form of rows, in hexadecimal.
class packed_reader {
  public:
    explicit packed_reader(std::string_view text)
        : rest_(text.substr(std::min<std::size_t>(text.size(), 2))) {}

    bool ended() const { return rest_.empty(); }
    std::int64_t integer(std::size_t bytes) {
        std::uint64_t value = 0;
        const auto digits = text(bytes);
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
    }
    std::string_view text(std::size_t bytes) {
        require(rest_.size() >= 2 * bytes, "a packed message is too short");
        const auto found = rest_.substr(0, 2 * bytes);
        rest_.remove_prefix(2 * bytes);
        return found;
    }
    /// The binary form of the next field.
    std::string_view field() {
        integer(4);  // its type
        const auto bytes = integer(4);
        return text(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
    }

  private:
    std::string_view rest_;
};

}  // namespace

world::claim_answer world::read_packed(const pg::result& rows) {
    const int summary = rows.rows() - 1;
    claim_answer answer{.lease = rows.get<std::optional<std::int64_t>>(summary, 2),
                        .token = std::string(rows.text(summary, 3)),
                        .settled = std::string(rows.text(summary, 0)),
                        .parked = rows.get<int>(summary, 1)};
    for (int i = 0; i < rows.rows(); ++i) {
        packed_reader packed(rows.text(i, 4));
        while (!packed.ended()) {
            auto fields = packed.integer(4);
            std::int64_t seq = 0;
            const auto digits = packed.field();
            std::from_chars(digits.data(), digits.data() + digits.size(), seq, 16);
            const auto id = packed.field();
            answer.messages.emplace_back(
                seq, fmt::format("{}-{}-{}-{}-{}", id.substr(0, 8), id.substr(8, 4),
                                 id.substr(12, 4), id.substr(16, 4), id.substr(20)));
            for (fields -= 2; fields > 0; --fields) {
                packed.field();
            }
        }
    }
    return answer;
}

world::claim_answer world::read_rows(const pg::result& rows) {
    const int summary = rows.rows() - 1;
    claim_answer answer{.lease = rows.get<std::optional<std::int64_t>>(summary, 2),
                        .token = std::string(rows.text(summary, 3)),
                        .settled = std::string(rows.text(summary, 0)),
                        .parked = rows.get<int>(summary, 1)};
    for (int i = 0; i < summary; ++i) {
        answer.messages.emplace_back(rows.get<std::int64_t>(i, 4), rows.get<std::string>(i, 5));
    }
    return answer;
}

std::int64_t world::learn_due_times() {
    const auto rows = admin_.exec(R"(
        select m.id, m.seq, (extract(epoch from coalesce(m.available_at, m.published_at)) * 1000000)::bigint
        from postrider.message m where m.priority <> 0 or m.available_at is not null
        union all
        select null, null, (extract(epoch from clock_timestamp()) * 1000000)::bigint)");
    std::map<std::string_view, int> found;
    for (int i = 0; i < rows.rows() - 1; ++i) {
        found[rows.text(i, 0)] = i;
    }
    for (auto& each : model_.messages) {
        if (const auto row = found.find(each.id); row != found.end()) {
            each.seq = rows.get<std::int64_t>(row->second, 1);
            each.due_at = rows.get<std::int64_t>(row->second, 2);
        }
    }
    return rows.get<std::int64_t>(rows.rows() - 1, 2);
}

waiting_claim world::watch_claim(int consumer, std::int64_t since) {
    const auto& the_consumer = nth(model_.consumers, consumer);
    const auto rows = admin_.exec_params(
        "select w.seq, (extract(epoch from clock_timestamp()) * 1000000)::bigint "
        "from (values (1)) as one "
        "left join (postrider.waiting w join postrider.consumer c on c.id = w.consumer_id "
        "and c.name = $1 and c.channel = $2) on true",
        pg::params(the_consumer.name, the_consumer.channel));
    waiting_claim seen{.not_before = since, .not_after = rows.get<std::int64_t>(0, 1)};
    std::set<std::int64_t> seqs;
    for (int i = 0; i < rows.rows(); ++i) {
        seqs.insert(rows.get<std::optional<std::int64_t>>(i, 0).value_or(0));
    }
    for (int m = 0; m < static_cast<int>(model_.messages.size()); ++m) {
        const auto& the_message = nth(model_.messages, m);
        if (the_message.waits() && the_message.committed() && seqs.contains(the_message.seq)) {
            seen.left.insert(m);
        }
    }
    return seen;
}

/// Makes one waiting message due, or all, as if time had passed. Uncommitted messages are not
/// visible.
void world::bring_forward(std::optional<int> message) {
    admin_.exec(
        fmt::format(R"(
        update postrider.message set available_at = now() where available_at > now(){};
        update postrider.waiting w set due_at = m.available_at
        from postrider.message m
        where m.xid = w.xid and m.seq = w.seq and w.due_at > m.available_at)",
                    message ? " and id = '" + nth(model_.messages, *message).id + "'" : ""));
    for (int m = 0; m < static_cast<int>(model_.messages.size()); ++m) {
        auto& the_message = nth(model_.messages, m);
        if (message.value_or(m) == m && the_message.committed() && the_message.in_log &&
            the_message.available == availability::future) {
            the_message.available = availability::past;
        }
    }
}

}  // namespace postrider::test
