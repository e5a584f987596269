#include <gtest/gtest.h>

#include <ostream>
#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>

#include "pg/connection.hpp"
#include "pg/transaction.hpp"
#include "support/test_database.hpp"

// The promises of publishing, checked for every way to publish.
namespace postrider {
namespace {

using namespace std::chrono_literals;
using test::test_database;

/// One way to publish within a transaction.
class way {
  public:
    way() = default;
    way(const way&) = delete;
    way& operator=(const way&) = delete;
    virtual ~way() = default;
    virtual void exec(const std::string& sql) = 0;
    virtual std::string publish(const message& input) = 0;
    virtual std::int64_t publish_many(std::span<const message> messages) = 0;
    virtual void commit() = 0;
    virtual void rollback() = 0;
};

class own_transaction : public way {
  public:
    explicit own_transaction(const std::string& database) : connection_(database) {}
    void exec(const std::string& sql) override { transaction_.exec(sql); }
    std::string publish(const message& input) override {
        return postrider::publish(transaction_, input);
    }
    std::int64_t publish_many(std::span<const message> messages) override {
        return postrider::publish_many(transaction_, messages);
    }
    void commit() override { transaction_.commit(); }
    void rollback() override { transaction_.rollback(); }

  private:
    connection connection_;
    transaction transaction_{connection_};
};

class borrowed_connection : public way {
  public:
    explicit borrowed_connection(const std::string& database) : session_(database) {
        session_.exec("begin");
    }
    void exec(const std::string& sql) override { session_.exec(sql); }
    std::string publish(const message& input) override {
        return postrider::publish(session_.raw(), input);
    }
    std::int64_t publish_many(std::span<const message> messages) override {
        return postrider::publish_many(session_.raw(), messages);
    }
    void commit() override { session_.exec("commit"); }
    void rollback() override { session_.exec("rollback"); }

  private:
    pg::connection session_;
};

class through_pqxx : public way {
  public:
    explicit through_pqxx(const std::string& database) : connection_(database) {}
    void exec(const std::string& sql) override { work_.exec(sql); }
    std::string publish(const message& input) override {
        return postrider::publish(within_, input);
    }
    std::int64_t publish_many(std::span<const message> messages) override {
        return postrider::publish_many(within_, messages);
    }
    void commit() override { work_.commit(); }
    void rollback() override { work_.abort(); }

  private:
    pqxx::connection connection_;
    pqxx::work work_{connection_};
    pqxx_executor within_{work_};
};

struct named_way {
    const char* name;
    std::unique_ptr<way> (*open)(const std::string& database);

    friend std::ostream& operator<<(std::ostream& to, const named_way& one) {
        return to << one.name;
    }
};

template <typename Way>
named_way as(const char* name) {
    return {name, [](const std::string& database) -> std::unique_ptr<way> {
                return std::make_unique<Way>(database);
            }};
}

class publishing : public ::testing::TestWithParam<named_way> {
  protected:
    std::unique_ptr<way> open() { return GetParam().open(database_.conninfo()); }
    int published(const std::string& where = "true") {
        return reader_.exec("select count(*) from postrider.message where " + where).get<int>(0, 0);
    }
    std::string answer(const std::string& sql) { return std::string(reader_.exec(sql).text(0, 0)); }

    test_database database_;
    pg::connection reader_ = database_.connect();
};

const message an_order{
    .event_type = "order.placed", .payload = R"({"order": 42})", .source = "shop"};

TEST_P(publishing, a_message_is_visible_when_its_transaction_commits) {
    const auto way = open();
    const auto id = way->publish(an_order);
    EXPECT_EQ(published(), 0);
    way->commit();
    EXPECT_EQ(published("id = '" + id + "' and event_type = 'order.placed'"), 1);
    EXPECT_EQ(id[14], '7') << "a UUID version 7";
}

TEST_P(publishing, rolled_back_messages_never_existed) {
    const auto way = open();
    way->exec("create table orders (id int)");
    way->publish(an_order);
    way->publish_many(std::vector(3, an_order));
    way->rollback();
    EXPECT_EQ(published(), 0);
}

TEST_P(publishing, a_savepoint_takes_its_messages_along) {
    const auto way = open();
    way->publish({.event_type = "kept"});
    way->exec("savepoint s");
    way->publish({.event_type = "dropped"});
    way->publish_many(std::vector<message>(2, {.event_type = "dropped"}));
    way->exec("rollback to savepoint s");
    way->publish_many(std::vector<message>(2, {.event_type = "kept"}));
    way->commit();
    EXPECT_EQ(published("event_type = 'kept'"), 3);
    EXPECT_EQ(published("event_type = 'dropped'"), 0);
}

message full_message(const std::string& id) {
    const auto noon = std::chrono::sys_days{std::chrono::year{2030} / 5 / 17} + 12h + 345678us;
    return {.event_type = "order.placed",
            .payload = R"({"text": "ünï\n\"q\" 😀", "big": 12345678901234567890.5e100})",
            .source = "web \"shop\"",
            .target = "billing",
            .id = id,
            .event_version = 3,
            .occurred_at = noon,
            .workspace_id = "01890A5D-AC96-774B-BCCE-B302099A8058",
            .idempotency_key = "key \"1\" \\ é",
            .ordering_key = "customer 7",
            .partition_key = "",
            .headers = R"({"h": 1})",
            .metadata = R"({"m": [2]})",
            .trace_context = "00-ab",
            .content_class = "personal",
            .generation = 4,
            .available_at = noon + 24h,
            .priority = -7,
            .max_attempts = 2};
}

TEST_P(publishing, every_field_arrives_as_it_was_given) {
    const std::string one = "01890a5d-ac96-774b-bcce-b302099a8057";
    const std::string many = "01890a5d-ac96-774b-bcce-b302099a8059";
    const auto way = open();
    EXPECT_EQ(way->publish(full_message(one)), one);
    EXPECT_EQ(way->publish_many(std::vector{full_message(many)}), 1);
    way->commit();
    const std::string as_given = R"sql(
        (event_type, source, target, event_version, workspace_id, idempotency_key, ordering_key,
         partition_key, trace_context, content_class, generation, channel, priority, max_attempts)
        = ('order.placed', 'web "shop"', 'billing', 3, '01890a5d-ac96-774b-bcce-b302099a8058',
           'key "1" \ é', 'customer 7', '', '00-ab', 'personal', 4, 'outbox_gen_4', -7, 2)
        and (payload::jsonb, headers::jsonb, metadata)
        = ('{"text": "ünï\n\"q\" 😀", "big": 12345678901234567890.5e100}'::jsonb,
           '{"h": 1}'::jsonb, '{"m": [2]}'::jsonb)
        and (occurred_at, available_at)
        = ('2030-05-17 12:00:00.345678Z'::timestamptz, '2030-05-18 12:00:00.345678Z'))sql";
    for (const auto& id : {one, many}) {
        EXPECT_EQ(published("id = '" + id + "' and " + as_given), 1) << id;
    }
}

TEST_P(publishing, every_time_of_the_clock_arrives_as_it_was_given) {
    using instant = std::chrono::system_clock::time_point;
    const auto old = std::chrono::sys_days{std::chrono::year{1700} / 1 / 1};
    const auto way = open();
    for (const instant when : {instant::min(), instant(old), instant::max()}) {
        const message input{.event_type = "a", .occurred_at = when, .available_at = when};
        way->publish(input);
        way->publish_many(std::vector{input});
    }
    way->commit();
    for (const auto* when :
         {"1677-09-21T00:12:43.145224Z", "1700-01-01T00:00:00Z", "2262-04-11T23:47:16.854775Z"}) {
        const auto text = "'" + std::string(when) + "'";
        EXPECT_EQ(published("occurred_at = " + text + " and available_at = " + text), 2) << when;
    }
}

TEST_P(publishing, omitted_fields_have_their_defaults) {
    const auto way = open();
    way->publish({.event_type = "a"});
    way->publish_many(std::vector<message>{{.event_type = "a"}});
    way->commit();
    EXPECT_EQ(published("(payload::text, source, channel, event_version, priority)"
                        " = ('{}', '', 'outbox_default', 1, 0)"
                        " and num_nulls(target, workspace_id, idempotency_key, ordering_key,"
                        " partition_key, headers, metadata, trace_context, content_class,"
                        " generation, available_at, max_attempts) = 12"
                        " and occurred_at between now() - interval '1 minute' and now()"),
              2);
}

TEST_P(publishing, a_channel_given_wins_over_the_generations) {
    const auto way = open();
    way->publish({.event_type = "a", .generation = 7});
    way->publish({.event_type = "b", .generation = 7, .channel = "slow"});
    way->commit();
    EXPECT_EQ(published("event_type = 'a' and channel = 'outbox_gen_7' and generation = 7"), 1);
    EXPECT_EQ(published("event_type = 'b' and channel = 'slow' and generation = 7"), 1);
}

TEST_P(publishing, many_messages_keep_their_order) {
    std::vector<message> all;
    for (int i = 0; i < 12'345; ++i) {
        all.push_back({.event_type = "n", .payload = std::to_string(i)});
    }
    const auto way = open();
    EXPECT_EQ(way->publish_many(all), 12'345);
    way->commit();
    EXPECT_EQ(answer("select bool_and(payload::text::int = n - 1) and count(*) = 12345 from"
                     " (select payload, row_number() over (order by seq) n from postrider.message"
                     ") m"),
              "t");
}

TEST_P(publishing, an_empty_batch_is_legal) {
    const auto way = open();
    EXPECT_EQ(way->publish_many({}), 0);
    way->commit();
}

TEST_P(publishing, one_bad_message_of_many_stops_all_and_leaves_the_transaction_alone) {
    auto all = std::vector(3, an_order);
    all[1].payload = "{";
    const auto way = open();
    EXPECT_THROW(way->publish_many(all), usage_error);
    EXPECT_THROW(way->publish({.event_type = ""}), usage_error);
    way->publish(an_order);
    way->commit();
    EXPECT_EQ(published(), 1);
}

INSTANTIATE_TEST_SUITE_P(every_way, publishing,
                         ::testing::Values(as<own_transaction>("transaction"),
                                           as<borrowed_connection>("pg_conn"),
                                           as<through_pqxx>("pqxx")),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace postrider
