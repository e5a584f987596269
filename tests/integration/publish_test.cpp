#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <postrider/postrider.hpp>
#include <thread>

#include "client/trace.hpp"
#include "pg/pipeline.hpp"
#include "pg/transaction.hpp"
#include "support/test_database.hpp"

extern "C" {
int PQsetnonblocking(pg_conn* connection, int wanted);
int PQisnonblocking(const pg_conn* connection);
}

namespace postrider {
namespace {

using test::test_database;

const message order{.event_type = "order.placed", .payload = R"({"order": 42})", .source = "shop"};

class publish_test : public ::testing::Test {
  protected:
    void TearDown() override { set_default_sink(nullptr); }

    int published(const std::string& where = "true") {
        return reader_.exec("select count(*) from postrider.message where " + where).get<int>(0, 0);
    }
    void end(const pg::connection& session) {
        reader_.exec_params("select pg_terminate_backend($1, 10000)",
                            pg::params(session.backend_pid()));
    }

    static void publish_either(const pg::connection& session, bool many,
                               const message& input = order) {
        if (many) {
            publish_many(session.raw(), {&input, 1});
        } else {
            publish(session.raw(), input);
        }
    }

    test_database database_;
    pg::connection reader_ = database_.connect();
    pg::connection session_ = database_.connect();
};

TEST_F(publish_test, outside_of_a_transaction_each_call_is_one) {
    publish(session_.raw(), order);
    EXPECT_EQ(published(), 1);
    auto all = std::vector(3, order);
    EXPECT_EQ(publish_many(session_.raw(), all), 3);
    EXPECT_EQ(published(), 4);
    EXPECT_FALSE(session_.in_transaction());
}

TEST_F(publish_test, nothing_is_asked_of_the_server_for_a_message_that_is_refused) {
    struct counting : executor {
        std::string query_value(const char*, parameters) override {
            return std::to_string(++calls);
        }
        int calls = 0;
    } server;
    const std::vector<message> bad{{},
                                   {.event_type = std::string(256, 'x')},
                                   {.event_type = "a", .payload = "{"},
                                   {.event_type = "a", .target = ""},
                                   {.event_type = "a", .id = "7"},
                                   {.event_type = "a", .headers = "1"},
                                   {.event_type = "a", .priority = 40'000},
                                   {.event_type = "a", .max_attempts = 0}};
    for (const auto& one : bad) {
        EXPECT_THROW(publish(server, one), usage_error);
        EXPECT_THROW(publish_many(server, std::vector{order, one}), usage_error);
    }
    EXPECT_EQ(server.calls, 0);
    publish(server, order);
    EXPECT_EQ(server.calls, 1);
    // Without the server, an invalid message is still reported first.
    end(session_);
    for (const auto& one : bad) {
        EXPECT_THROW(publish(session_.raw(), one), usage_error);
        EXPECT_THROW(publish_many(session_.raw(), {&one, 1}), usage_error);
    }
}

TEST_F(publish_test, a_connection_lost_within_a_transaction_means_that_nothing_happened) {
    for (const bool many : {false, true}) {
        auto session = database_.connect();
        session.exec("begin");
        end(session);
        EXPECT_THROW(publish_either(session, many), connection_error);
    }
}

TEST_F(publish_test, a_connection_lost_without_a_transaction_leaves_it_unknown) {
    for (const bool many : {false, true}) {
        auto session = database_.connect();
        end(session);
        EXPECT_THROW(publish_either(session, many), commit_unknown_error);
        EXPECT_THROW(publish_either(session, many), connection_error) << "known to be lost before";
    }
}

TEST_F(publish_test, no_connection_is_a_usage_error) {
    EXPECT_THROW(publish(static_cast<pg_conn*>(nullptr), order), usage_error);
    EXPECT_THROW(publish_many(static_cast<pg_conn*>(nullptr), {&order, 1}), usage_error);
}

TEST_F(publish_test, a_failed_transaction_says_so) {
    pg::transaction work(session_);
    EXPECT_THROW(session_.exec("select 1/0"), error);
    for (const bool many : {false, true}) {
        try {
            publish_either(session_, many);
            FAIL() << "published";
        } catch (const error& problem) {
            EXPECT_EQ(problem.sqlstate(), "25P02");
            EXPECT_NE(std::string(problem.what()).find("roll it back"), std::string::npos);
        }
    }
}

TEST_F(publish_test, a_connection_in_pipeline_mode_is_refused_and_stays_usable) {
    pg::pipeline batch(session_);
    EXPECT_THROW(publish(session_.raw(), order), usage_error);
    EXPECT_THROW(publish_many(session_.raw(), {&order, 1}), usage_error);
    batch.send("select 1", {});
    batch.sync();
    EXPECT_EQ(batch.receive().get<int>(0, 0), 1);
    batch.receive_sync();
}

TEST_F(publish_test, a_nonblocking_connection_is_given_back_nonblocking) {
    ASSERT_EQ(PQsetnonblocking(session_.raw(), 1), 0);
    publish(session_.raw(), order);
    // More than a socket's buffer holds, so that a write which would block is part of it.
    const message large{.event_type = "large", .payload = "\"" + std::string(500'000, 'x') + "\""};
    EXPECT_EQ(publish_many(session_.raw(), std::vector(20, large)), 20);
    EXPECT_EQ(PQisnonblocking(session_.raw()), 1);
    EXPECT_EQ(published(), 21);
}

TEST_F(publish_test, a_connection_that_does_not_speak_utf8_is_refused) {
    session_.exec("set client_encoding = 'LATIN1'");
    EXPECT_THROW(publish(session_.raw(), order), usage_error);
    session_.exec("set client_encoding = 'UTF8'");
    publish(session_.raw(), order);
}

TEST_F(publish_test, a_document_that_grows_beyond_its_limit_is_named) {
    // Small numbers take more bytes in jsonb than as text.
    std::string numbers = R"({"n": [0)";
    while (numbers.size() < 60'000) {
        numbers += ",1";
    }
    const message large{.event_type = "a", .metadata = numbers + "]}"};
    for (const bool many : {false, true}) {
        try {
            publish_either(session_, many, large);
            FAIL() << "published";
        } catch (const usage_error& problem) {
            EXPECT_EQ(problem.code(), errc::too_large);
            EXPECT_LT(std::string_view(problem.what()).size(), 300U) << "must not show the message";
        }
    }
    EXPECT_EQ(published(), 0);
}

TEST_F(publish_test, a_role_needs_nothing_but_to_be_a_producer) {
    session_.exec("set role postrider_producer");
    publish(session_.raw(), order);
    EXPECT_EQ(publish_many(session_.raw(), std::vector(2, order)), 2);
    EXPECT_EQ(published(), 3);
}

TEST_F(publish_test, messages_published_by_a_handler_continue_its_trace) {
    const std::string running = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    {
        const client::trace_scope scope(&running);
        publish(session_.raw(), {.event_type = "a"});
        publish_many(session_.raw(), std::vector<message>{{.event_type = "a"}});
        publish(session_.raw(), {.event_type = "b", .trace_context = "00-of-its-own"});
    }
    publish(session_.raw(), {.event_type = "c"});
    EXPECT_EQ(published("event_type = 'a' and trace_context = '" + running + "'"), 2);
    EXPECT_EQ(published("event_type = 'b' and trace_context = '00-of-its-own'"), 1);
    EXPECT_EQ(published("event_type = 'c' and trace_context is null"), 1);
}

TEST_F(publish_test, a_database_without_the_schema_is_a_schema_error) {
    const test_database empty(test_database::contents::empty);
    const auto session = empty.connect();
    EXPECT_THROW(publish(session.raw(), order), schema_error);
    EXPECT_THROW(publish_many(session.raw(), std::vector(2, order)), schema_error);
}

struct recording : sink {
    struct entry {
        std::string id, type, source, target, workspace, channel, trace, parent;
    };
    void published(const publish_record& record) override {
        const std::lock_guard lock(mutex);
        entries.push_back({std::string(record.message_id), std::string(record.event_type),
                           std::string(record.source), std::string(record.target.value_or("-")),
                           std::string(record.workspace_id.value_or("-")),
                           std::string(record.channel),
                           record.trace == nullptr ? "-" : record.trace->trace_id,
                           record.trace == nullptr ? "-" : record.trace->parent_span_id});
    }
    std::mutex mutex;
    std::vector<entry> entries;
};

TEST_F(publish_test, the_sink_hears_of_every_message) {
    const auto records = std::make_shared<recording>();
    set_default_sink(records);
    const auto id =
        publish(session_.raw(),
                {.event_type = "a",
                 .source = "shop",
                 .target = "billing",
                 .workspace_id = "01890a5d-ac96-774b-bcce-b302099a8058",
                 .trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
    publish_many(session_.raw(), std::vector<message>(2, {.event_type = "b", .generation = 3}));
    ASSERT_EQ(records->entries.size(), 3U);
    const auto& first = records->entries[0];
    EXPECT_EQ(first.id, id);
    EXPECT_EQ(first.type, "a");
    EXPECT_EQ(first.source, "shop");
    EXPECT_EQ(first.target, "billing");
    EXPECT_EQ(first.workspace, "01890a5d-ac96-774b-bcce-b302099a8058");
    EXPECT_EQ(first.channel, "outbox_default");
    EXPECT_EQ(first.trace, "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(first.parent, "b7ad6b7169203331");
    EXPECT_EQ(records->entries[2].channel, "outbox_gen_3");
    EXPECT_EQ(records->entries[2].trace, "-");
    EXPECT_EQ(published("id in ('" + records->entries[1].id + "', '" + records->entries[2].id +
                        "') and event_type = 'b'"),
              2);
}

TEST_F(publish_test, refused_messages_are_not_reported_to_the_sink) {
    const auto records = std::make_shared<recording>();
    set_default_sink(records);
    session_.exec("set role postrider_viewer");
    EXPECT_THROW(publish(session_.raw(), order), error);
    EXPECT_THROW(publish_many(session_.raw(), std::vector(2, order)), error);
    EXPECT_TRUE(records->entries.empty());
}

struct broken : sink {
    void published(const publish_record&) override { throw std::runtime_error("full"); }
};

TEST_F(publish_test, a_sink_that_throws_does_not_fail_the_publication) {
    set_default_sink(std::make_shared<broken>());
    publish(session_.raw(), order);
    EXPECT_EQ(publish_many(session_.raw(), std::vector(2, order)), 2);
    EXPECT_EQ(published(), 3);
}

TEST_F(publish_test, a_sink_that_throws_does_not_keep_another_from_hearing) {
    const auto records = std::make_shared<recording>();
    set_default_sink(fan_out(std::make_shared<broken>(), records));
    publish(session_.raw(), order);
    EXPECT_EQ(records->entries.size(), 1U);
}

// Takes the publisher's lock in its destructor, on another thread: a caller that waits deadlocks.
struct asking_at_its_end : sink {
    ~asking_at_its_end() override {
        const auto answered = std::make_shared<std::promise<void>>();
        std::thread([answered] {
            default_sink();
            answered->set_value();
        }).detach();
        *in_time =
            answered->get_future().wait_for(std::chrono::seconds(5)) == std::future_status::ready;
    }
    bool* in_time = nullptr;
};

TEST_F(publish_test, replacing_a_sink_does_not_wait_for_the_old_one) {
    bool in_time = false;
    auto old = std::make_shared<asking_at_its_end>();
    old->in_time = &in_time;
    set_default_sink(std::move(old));
    set_default_sink(nullptr);
    EXPECT_TRUE(in_time);
}

}  // namespace
}  // namespace postrider
