#include "client/received_event.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/encoding/hex.hpp"
#include "base/encoding/sha256.hpp"
#include "relay/cloud_event.hpp"

namespace postrider::relaying {
namespace {

using headers = std::map<std::string, std::string>;

received_message read(const headers& values, std::string_view body, binding how = binding::http) {
    received_message otherwise;
    otherwise.id = "17";
    otherwise.event_type = "subject";
    otherwise.source = "stream";
    return client::read_event(
        otherwise,
        [&](const std::string& name) -> std::optional<std::string> {
            const auto found = values.find(name);
            return found == values.end() ? std::nullopt : std::optional(found->second);
        },
        std::string(body), how);
}

TEST(received_event, every_attribute_that_a_relay_writes_is_read_back) {
    event_fields from;
    from.id[15] = 7;
    from.event_type = "order.placed";
    from.event_version = 4;
    from.source = "the \"shop\" 100%";
    from.occurred_at =
        std::chrono::system_clock::time_point(std::chrono::microseconds(1740744000250001));
    from.payload = "{\"a\":  1.0}";
    from.headers = R"({"h": "ä"})";
    from.idempotency_key = "key";
    from.ordering_key = "k 1";
    from.partition_key = "p";
    from.workspace_id = std::array<std::uint8_t, 16>{1, 2, 3};
    from.trace_context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    from.cycle = 2;
    const event received(from);
    for (const auto how : {binding::http, binding::kafka}) {
        headers written;
        for (const auto& [name, value] : cloud_event_headers(received, how)) {
            written[name] = value;
        }
        const auto made = read(written, from.payload, how);
        EXPECT_EQ(made.id, received.id());
        EXPECT_EQ(made.event_type, from.event_type);
        EXPECT_EQ(made.event_version, 4);
        EXPECT_EQ(made.source, from.source);
        EXPECT_EQ(made.occurred_at, from.occurred_at);
        EXPECT_EQ(made.payload, from.payload);
        EXPECT_EQ(made.headers, from.headers);
        EXPECT_EQ(made.idempotency_key, from.idempotency_key);
        EXPECT_EQ(made.ordering_key, from.ordering_key);
        EXPECT_EQ(made.partition_key, from.partition_key);
        EXPECT_EQ(made.workspace_id, received.workspace_id());
        EXPECT_EQ(made.trace_context, from.trace_context);
        EXPECT_EQ(made.cycle, 2);
    }
}

TEST(received_event, a_message_without_a_source_has_none_behind_a_relay) {
    event_fields from;
    from.event_type = "a";
    headers written;
    for (const auto& [name, value] : cloud_event_headers(event(from), binding::http)) {
        written[name] = value;
    }
    EXPECT_EQ(read(written, "{}").source, "");
}

TEST(received_event, a_message_of_another_producer_keeps_the_brokers_metadata) {
    const auto made = read({{"x", "y"}}, "[1, 2]");
    EXPECT_EQ(made.id, "17");
    EXPECT_EQ(made.event_type, "subject");
    EXPECT_EQ(made.source, "stream");
    EXPECT_EQ(made.payload, "[1, 2]");
    EXPECT_EQ(read({}, "").payload, "{}");
    EXPECT_EQ(read({}, "f").payload, "{\"data_base64\":\"Zg==\"}");
    EXPECT_EQ(read({}, "fo").payload, "{\"data_base64\":\"Zm8=\"}");
    EXPECT_EQ(read({}, "foo").payload, "{\"data_base64\":\"Zm9v\"}");
    EXPECT_EQ(read({}, std::string_view("\"\\u0000\"")).payload,
              "{\"data_base64\":\"Ilx1MDAwMCI=\"}")
        << "PostgreSQL takes no zero in JSON";
}

TEST(received_event, structured_mode_has_its_attributes_in_the_body) {
    const auto made = read({{"content-type", "application/cloudevents+json; charset=utf-8"}},
                           R"({"specversion":"1.0","id":"a\u00e4","type":"t","source":"/s",)"
                           R"("time":"2025-02-28T13:00:00.5+01:00","cycle":3,"data":[1.50]})");
    EXPECT_EQ(made.id, "aä");
    EXPECT_EQ(made.event_type, "t");
    EXPECT_EQ(made.source, "/s");
    EXPECT_EQ(made.cycle, 3);
    EXPECT_EQ(made.payload, "[1.50]");
    EXPECT_EQ(made.occurred_at.time_since_epoch(), std::chrono::milliseconds(1740744000500));
    EXPECT_EQ(read({{"content-type", "application/cloudevents+json"}},
                   R"({"id":"1","data_base64":"Zg=="})")
                  .payload,
              R"({"data_base64":"Zg=="})");
}

TEST(received_event, an_instant_that_no_clock_has_counts_as_now) {
    EXPECT_EQ(client::instant_of(1740744000500).time_since_epoch(),
              std::chrono::milliseconds(1740744000500));
    const auto now = std::chrono::system_clock::now();
    for (const auto count :
         {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
          std::numeric_limits<std::int64_t>::max(), std::int64_t{9'000'000'000'001}}) {
        EXPECT_GE(client::instant_of(count), now) << count;
        EXPECT_LT(client::instant_of(count), now + std::chrono::hours(1)) << count;
    }
}

TEST(received_event, ids_are_hashed_as_the_database_hashes_them) {
    const auto text = [](std::string_view of) {
        const auto made = sha256(of);
        return hex(std::string_view(reinterpret_cast<const char*>(made.data()), made.size()));
    };
    EXPECT_EQ(text(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(text(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace postrider::relaying
