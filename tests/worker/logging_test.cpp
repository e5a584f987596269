// A worker that was given no sink writes warnings, errors and failed runs to stderr.
#include <postrider/postrider.hpp>
#include <postrider/publish.hpp>

#include "support/captured_stderr.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

class logging : public worker_fixture {
  protected:
    void TearDown() override { set_default_sink(nullptr); }
    worker_options without_sink() const {
        auto made = options();
        made.sink = nullptr;
        return made;
    }
    static std::ptrdiff_t lines(const std::string& text) { return std::ranges::count(text, '\n'); }

    captured_stderr output;
};

TEST_F(logging, a_database_that_does_not_exist_is_a_warning_in_one_line) {
    auto wrong = without_sink();
    wrong.database = test_conninfo("no_such_database") + " password=hunter2";
    worker office(wrong);
    office.on("*", "office.all", [](const event&) {});
    office.start();
    ASSERT_TRUE(output.wait_for("\n")) << output.text();
    const auto text = output.text();
    EXPECT_NE(text.find(" postrider warning office "), std::string::npos) << text;
    EXPECT_NE(text.find("\"no_such_database\" does not exist"), std::string::npos) << text;
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
    EXPECT_EQ(lines(text), 1) << text;
}

TEST_F(logging, a_handler_that_throws_is_a_warning_with_its_message_and_error) {
    worker office(without_sink());
    office.on("*", "office.broken",
              [](const event&) -> void { throw std::runtime_error("the printer\nis on fire"); });
    office.start();
    const auto id = value("select postrider.publish('a.b')");
    ASSERT_TRUE(output.wait_for("\n")) << output.text();
    const auto text = output.text();
    EXPECT_NE(text.find("warning office handler_failed: office.broken failed, attempt 1 of "
                        "message " +
                        id + " (a.b): the printer is on fire [std::runtime_error]\n"),
              std::string::npos)
        << text;
}

TEST_F(logging, a_terminal_failure_is_an_error) {
    worker office(without_sink());
    office.on("*", "office.picky", [](const event&) { return terminal("no such user"); });
    office.start();
    publish("a.b");
    EXPECT_TRUE(
        output.wait_for(" postrider error office handler_failed: office.picky failed for "
                        "good, attempt 1 of message "))
        << output.text();
}

TEST_F(logging, repeated_failures_of_a_handler_share_a_line_and_another_handler_has_its_own) {
    worker office(without_sink());
    office.on("a", "office.first", [](const event&) { return terminal("no"); });
    office.on("b", "office.second", [](const event&) { return terminal("no"); });
    EXPECT_EQ(office.drain(), 0);
    session.exec("select postrider.publish('a') from generate_series(1, 100)");
    publish("b");
    EXPECT_EQ(office.drain(), 101);
    EXPECT_EQ(lines(output.text()), 2) << output.text();
    EXPECT_NE(output.text().find("office.second"), std::string::npos);
}

TEST_F(logging, a_worker_that_only_works_writes_nothing) {
    worker office(without_sink());
    office.on("*", "office.all", [](const event&) {});
    EXPECT_EQ(office.drain(), 0);
    publish("a.b");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(output.text(), "");
}

TEST_F(logging, a_sink_replaces_the_log) {
    const auto fail = [](const event&) { return terminal("no"); };
    worker own(options("own"));
    own.on("*", "own.all", fail);
    worker silent([&] {
        auto made = options("silent");
        made.sink = std::make_shared<sink>();
        return made;
    }());
    silent.on("*", "silent.all", fail);
    EXPECT_EQ(own.drain() + silent.drain(), 0);
    set_default_sink(watching);
    auto by_default = without_sink();
    worker shared(by_default);
    shared.on("*", "office.all", fail);
    EXPECT_EQ(shared.drain(), 0);
    publish("a.b");
    EXPECT_EQ(own.drain() + silent.drain() + shared.drain(), 3);
    EXPECT_EQ(output.text(), "");
    EXPECT_EQ(watching->runs().size(), 2U);
}

// Exactly one of the workers with a sink reports each alert to it: a worker that only logs must not
// take it.
TEST_F(logging, a_worker_without_a_sink_leaves_alerts_to_those_that_have_one) {
    worker office(without_sink());
    office.on("*", "office.picky", [](const event&) { return terminal("no"); });
    office.start();
    publish("a.b");
    ASSERT_TRUE(output.wait_for("\n"));
    EXPECT_TRUE(becomes("1", "select count(*) from postrider.outbox where status = 'failed'"));
    office.request_stop();
    office.wait();
    EXPECT_EQ(value("select count(*) from postrider.alert_target"), "0");
}

/// Counts published messages.
class counting : public sink {
  public:
    void published(const publish_record& record) override {
        const std::lock_guard lock(mutex_);
        types_ += std::string(record.event_type) + " ";
    }
    std::string types() const {
        const std::lock_guard lock(mutex_);
        return types_;
    }

  private:
    mutable std::mutex mutex_;
    std::string types_;
};

TEST_F(logging, a_workers_sink_is_told_of_messages_of_its_handlers) {
    const auto own = std::make_shared<counting>();
    const auto everywhere = std::make_shared<counting>();
    auto reported = options();
    reported.sink = own;
    worker office(reported);
    office.on("a", "office.plain", [&](const event&) {
        auto other = database.connect();
        postrider::publish(other.raw(), {.event_type = "by.plain"});
    });
    office.on("b", "office.transactional", [](const event&, transaction& tx) {
        postrider::publish(tx, {.event_type = "by.transactional"});
        const std::vector<message> several{{.event_type = "one"}, {.event_type = "two"}};
        postrider::publish_many(tx, several);
    });
    EXPECT_EQ(office.drain(), 0);
    set_default_sink(everywhere);
    publish("a");
    publish("b");
    EXPECT_EQ(office.drain(), 2);
    EXPECT_EQ(own->types(), "by.plain by.transactional one two ");
    EXPECT_EQ(everywhere->types(), own->types());
    set_default_sink(own);
    publish("a");
    EXPECT_EQ(office.drain(), 1);
    EXPECT_EQ(own->types(), "by.plain by.transactional one two by.plain ");
}

TEST_F(logging, a_workers_sink_is_not_told_of_messages_of_other_producers) {
    const auto own = std::make_shared<counting>();
    auto reported = options();
    reported.sink = own;
    worker office(reported);
    office.on("a", "office.plain", [](const event&) {});
    EXPECT_EQ(office.drain(), 0);
    publish("a");
    EXPECT_EQ(office.drain(), 1);
    postrider::publish(session.raw(), {.event_type = "outside"});
    EXPECT_EQ(own->types(), "");
}

}  // namespace
}  // namespace postrider::test
