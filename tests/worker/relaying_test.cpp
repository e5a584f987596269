// A relay to another system is a consumer like any other: it passes on messages as they were
// published.
#include <postrider/postrider.hpp>

#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class relaying : public worker_fixture {
  protected:
    static constexpr const char* envelope =
        "select to_jsonb(e) from (select id, event_type, event_version, occurred_at, source, "
        "target,"
        " payload, headers, idempotency_key, ordering_key, partition_key, trace_context,"
        " content_class, workspace_id from postrider.outbox order by event_type) e";

    std::vector<std::string> envelopes(pg::connection& of) const {
        const auto rows = of.exec(envelope);
        std::vector<std::string> all;
        for (int row = 0; row < rows.rows(); ++row) {
            all.emplace_back(rows.text(row, 0));
        }
        return all;
    }

    test_database elsewhere_;
};

std::optional<std::string> text_of(std::optional<std::string_view> value) {
    return value ? std::optional<std::string>(*value) : std::nullopt;
}

message as_published(const event& e) {
    message same;
    same.id = e.id();
    same.event_type = e.event_type();
    same.event_version = e.event_version();
    same.occurred_at = e.occurred_at();
    same.source = e.source();
    same.target = text_of(e.target());
    same.payload = e.payload();
    same.headers = text_of(e.headers());
    same.idempotency_key = e.idempotency_key();
    same.ordering_key = text_of(e.ordering_key());
    same.partition_key = text_of(e.partition_key());
    same.trace_context = text_of(e.trace_context());
    same.content_class = text_of(e.content_class());
    same.workspace_id = e.workspace_id();
    return same;
}

TEST_F(relaying, a_relay_hands_every_envelope_on_as_it_was_published) {
    auto there = elsewhere_.connect();
    // The outbox shows the messages that a handler still has to get.
    there.exec(
        "select postrider.register_worker(gen_random_uuid(), 'office',"
        " '[{\"name\": \"office.all\", \"event_types\": [\"*\"]}]')");
    worker relay(options("office"));
    relay.on("*", "office.relay", [this](const event& e) {
        connection other(elsewhere_.conninfo());
        transaction work(other);
        postrider::publish(work, as_published(e));
        work.commit();
    });
    relay.drain();
    publish("user.plain");
    publish("user.rich",
            "'{\"user\": [1, {\"name\": \"Ada \\u20ac\"}]}', p_source => 'accounts', p_target => "
            "'office', p_event_version => 7, p_occurred_at => '2020-02-29 12:00:00.123456+00',"
            " p_headers => '{\"a\": 1}', p_idempotency_key => 'once', p_ordering_key => 'u1',"
            " p_partition_key => 'p1', p_content_class => 'secret',"
            " p_workspace_id => '01890a5d-ac96-774b-bcce-b302099a8058',"
            " p_trace_context => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'");
    EXPECT_EQ(relay.drain(), 2);
    const auto here = envelopes(session);
    EXPECT_EQ(here.size(), 2U);
    EXPECT_EQ(here, envelopes(there));
    EXPECT_EQ(count("delivered"), "2");
}

}  // namespace
}  // namespace postrider::test
