// Malicious input through the command line: it arrives unchanged or is refused with a reason, and
// no secret is repeated.
#include "e2e/database_fixture.hpp"

namespace postrider::test {
namespace {

class hostile_input_test : public database_fixture {
  protected:
    // The parameter is the value in the database, as hexadecimal digits.
    static std::string hex(const std::string& text) {
        static constexpr char digits[] = "0123456789abcdef";
        std::string made;
        for (const char c : text) {
            made += digits[static_cast<unsigned char>(c) >> 4U];
            made += digits[static_cast<unsigned char>(c) & 15U];
        }
        return made;
    }
    std::string stored(const std::string& column) {
        return value("select encode(convert_to(" + column +
                     ", 'UTF8'), 'hex') from postrider.message order by seq desc limit 1");
    }
};

TEST_F(hostile_input_test, names_that_look_like_sql_or_control_arrive_as_they_are) {
    for (const std::string& text :
         {std::string("'; drop table postrider.message; --"), std::string("$$; select 1; $$"),
          std::string("\x1b[2J\x1b]0;x\x07"), std::string("a\nb\tc"),
          std::string("\xe2\x80\xaegnp.exe"), std::string("%s%n%1$s"),
          std::string("<script>alert(1)</script>"), std::string(255, 'x')}) {
        publish({"--source", text, "--idempotency-key", text, "--", text});
        EXPECT_EQ(stored("event_type"), hex(text));
        EXPECT_EQ(stored("source"), hex(text));
        EXPECT_EQ(stored("idempotency_key"), hex(text));
    }
}

TEST_F(hostile_input_test, values_that_the_database_cannot_store_are_refused_before_sending) {
    constexpr int too_large = 65;
    const auto refused = [&](const std::string& name, const std::string& payload, int status = 64) {
        const auto outcome =
            postrider_.run({"publish", "a.b", "--payload-file", write(name, payload)});
        EXPECT_EQ(outcome.status, status) << name << "\n" << outcome.output.substr(0, 500);
        EXPECT_LT(outcome.output.size(), 2000U) << "the payload was repeated";
    };
    refused("zero", std::string("{\"a\": \"\0\"}", 10));
    refused("escaped zero", R"({"a": "\u0000"})");
    refused("half a character", R"({"a": "\ud83d"})");
    refused("not utf8", "{\"a\": \"\xff\xfe\"}");
    refused("ten megabytes", "\"" + std::string(10U << 20U, 'x') + "\"", too_large);
    refused("nothing", "");
    EXPECT_EQ(postrider_.run({"publish", std::string(256, 'x')}).status, too_large);
    EXPECT_EQ(postrider_.run({"publish", "a\xff"}).status, 64);
    EXPECT_EQ(value("select count(*) from postrider.message"), "0");
    EXPECT_EQ(postrider_
                  .run({"publish", "a.b", "--payload-file",
                        write("deep", std::string(500, '[') + std::string(500, ']'))})
                  .status,
              0);
    publish({"a.b", "--payload", R"({"n": 123456789012345678901234567890e300})"});
    EXPECT_EQ(value("select count(*) from postrider.message"), "2");
}

TEST_F(hostile_input_test, a_connection_string_never_shows_its_password) {
    for (const std::string& url :
         {std::string("postgresql://ann:s3cret@%zz/app"), std::string("password=s3cret port=x"),
          std::string("postgresql://ann:s3cret@127.0.0.1:1/app"),
          std::string("host=/nowhere password='s3cret"),
          std::string("password=s3cret host=127.0.0.1 port=99999999"),
          std::string("postgres://ann:s3cret@[::1/app")}) {
        for (const auto* command : {"publish", "config"}) {
            auto arguments = std::vector<std::string>{"--database", url, command};
            if (std::string(command) == "publish") {
                arguments.emplace_back("a.b");
            }
            const auto outcome = postrider_.run(arguments);
            EXPECT_FALSE(contains(outcome.output, "s3cret")) << outcome.output;
            EXPECT_LT(outcome.status, 128) << outcome.output;
        }
    }
}

}  // namespace
}  // namespace postrider::test
