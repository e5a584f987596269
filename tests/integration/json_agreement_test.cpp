#include <gtest/gtest.h>

#include <random>

#include "base/json/check_json.hpp"
#include "support/test_database.hpp"

// The check of JSON before publishing must agree with the server. A valid document that it refuses
// cannot be published; an invalid one that it accepts aborts the caller's transaction.
namespace postrider::client {
namespace {

using test::test_database;

class json_agreement : public ::testing::Test {
  protected:
    void SetUp() override {
        session_.exec(R"(create function taken(p_text text) returns bool language plpgsql as $$
            begin perform p_text::jsonb; return true;
            exception when others then return false; end $$)");
    }
    bool server_takes(const std::string& text) {
        return session_.exec_params("select taken($1)", pg::params(text)).get<bool>(0, 0);
    }
    void expect_agreement(const std::string& text) {
        const auto found = check_json(text);
        EXPECT_EQ(found.problem == nullptr, server_takes(text))
            << text.substr(0, 200) << " (" << (found.problem ? found.problem : "taken") << ")";
    }

    test_database database_{test_database::contents::empty};
    pg::connection session_ = database_.connect();
};

const std::vector<std::string> seeds{
    R"({"a": [1, -2.5e-3, true, false, null, "x"], "b": {"c": {}, "d": []}})",
    R"(["\u00e9", "\ud83d\ude00", "\" \\ \/ \b \f \n \r \t"])",
    R"({"name": "ünï", "nested": [[[["deep"]]]], "n": 12345678901234567890})",
    R"( [ 0 , -0 , 0.0 , 1E+2 , 1e-2 , 9 ] )"};

TEST_F(json_agreement, on_documents_with_small_mistakes) {
    std::mt19937 random(8259);
    const std::string alphabet = "{}[]:,\"\\/ubnrtfe0123456789.-+ E\tdDaAlsx\n";
    const auto upto = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    int taken = 0;
    for (int i = 0; i < 6000; ++i) {
        auto text = seeds[upto(seeds.size())];
        for (auto changes = 1 + upto(2); changes > 0; --changes) {
            const auto at = upto(text.size());
            // In the middle of a character the text is no UTF-8 and never gets to the parser.
            if ((static_cast<unsigned char>(text[at]) & 0x80U) != 0) {
                continue;
            }
            switch (upto(3)) {
                case 0:
                    text.erase(at, 1);
                    break;
                case 1:
                    text.insert(at, 1, alphabet[upto(alphabet.size())]);
                    break;
                default:
                    text[at] = alphabet[upto(alphabet.size())];
            }
        }
        taken += check_json(text).problem == nullptr ? 1 : 0;
        expect_agreement(text);
    }
    EXPECT_GT(taken, 500);
    EXPECT_LT(taken, 5500);
}

TEST_F(json_agreement, on_numbers_at_the_edge) {
    const auto zeros = [](std::size_t count) { return std::string(count, '0'); };
    for (const auto& text : {std::string("1e131071"),
                             std::string("1e131072"),
                             std::string("9.9e131071"),
                             std::string("0e131072"),
                             std::string("0e1073741822"),

                             std::string("0e99999999999"),
                             std::string("1e-16383"),
                             std::string("1e-16384"),
                             std::string("0e-16383"),
                             std::string("0e-16384"),
                             "1" + zeros(131071),
                             "1" + zeros(131072),
                             "0." + zeros(16382) + "1",
                             "0." + zeros(16383) + "1",
                             "0." + zeros(100) + "1e131172",
                             "0." + zeros(100) + "1e131173",
                             "1." + zeros(16384),
                             "1." + zeros(16384) + "e1",
                             "-1" + zeros(131071) + "e-1",
                             std::string("123456e131066"),
                             std::string("123456e131067")}) {
        expect_agreement(text);
        expect_agreement("[" + text + "]");
    }
}

}  // namespace
}  // namespace postrider::client
