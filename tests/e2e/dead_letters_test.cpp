#include <algorithm>
#include <fstream>

#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

using dead_letters = operating_fixture;

TEST_F(dead_letters, a_dead_letter_is_listed_grouped_and_shown) {
    const auto first = dead_letter("no answer from 10.0.0.1");
    const auto second = dead_letter("no answer from 10.0.0.2");
    const auto listed = run({"dead-letters", "list", "--handler", "billing.send_invoice"});
    EXPECT_EQ(listed.status, 0) << listed.output;
    EXPECT_TRUE(contains(listed.output, "no answer from 10.0.0.1")) << listed.output;
    EXPECT_FALSE(contains(listed.output, "order\":")) << "a payload was listed\n" << listed.output;
    EXPECT_EQ(run({"dead-letters", "list", "--quiet"}).output, second + "\n" + first + "\n");

    const auto groups = run({"dead-letters", "groups", "--json"}).output;
    EXPECT_EQ(json(groups, "{count}"), "2") << groups;

    const auto shown = run({"dead-letters", "show", first});
    EXPECT_EQ(shown.status, 0) << shown.output;
    for (const auto* part :
         {"\"order\": 42", "1 more with this fingerprint", "timeout", "order.placed",
          "billing on outbox_default", "after 1 attempt in cycle 1"}) {
        EXPECT_TRUE(contains(shown.output, part)) << part << "\n" << shown.output;
    }
    EXPECT_EQ(json(run({"dead-letters", "show", first, "--json"}).output, "{payload,order}"), "42");
}

TEST_F(dead_letters, filters_and_pages_say_which) {
    const auto first = dead_letter("disk is full");
    const auto second = dead_letter("no answer");
    EXPECT_EQ(run({"dead-letters", "list", "-q", "--error", "DISK"}).output, first + "\n");
    EXPECT_EQ(run({"dead-letters", "list", "-q", "--id", second}).output, second + "\n");
    EXPECT_EQ(run({"dead-letters", "list", "-q", "--since", "1h", "--class", "timeout", "--type",
                   "order.placed", "--consumer", "billing", "--source", "shop"})
                  .output,
              second + "\n" + first + "\n");
    EXPECT_EQ(run({"dead-letters", "list", "--until", "1h"}).output, "no dead letters\n");
    const auto page = run({"dead-letters", "list", "--limit", "1", "--json"}).output;
    const auto cursor = json(page, "{dead_at}") + "/" + json(page, "{delivery_id}");
    EXPECT_EQ(run({"dead-letters", "list", "-q", "--limit", "1", "--after", cursor}).output,
              first + "\n");
    EXPECT_TRUE(
        contains(run({"dead-letters", "list", "--limit", "1"}).output, "next page: --after"));
    EXPECT_EQ(run({"dead-letters", "list", "--since", "yesteryear"}).status, 64);
    EXPECT_EQ(run({"dead-letters", "list", "--after", "x"}).status, 64);
    EXPECT_EQ(run({"dead-letters", "list", "--workspace", "x"}).status, 64);
}

TEST_F(dead_letters, all_that_match_are_exported_line_by_line) {
    const auto first = dead_letter("=cmd|' /C calc'!A0, \"quoted\"");
    const auto second = dead_letter("no answer;=1+1\nat all");
    const auto lines = run({"dead-letters", "export", "--handler", "billing.send_invoice"});
    EXPECT_EQ(lines.status, 0) << lines.output;
    EXPECT_EQ(json(lines.output.substr(0, lines.output.find('\n')), "{delivery_id}"), second);
    EXPECT_EQ(std::count(lines.output.begin(), lines.output.end(), '\n'), 2);
    const auto csv = run({"dead-letters", "export", "--format", "csv"}).output;
    EXPECT_EQ(csv.find("delivery_id,id,consumer,"), 0U) << csv;
    EXPECT_TRUE(contains(csv, "\"'=cmd|' /C calc'!A0, \"\"quoted\"\"\"")) << csv;
    EXPECT_TRUE(contains(csv, "\"no answer;'=1+1\nat all\""))
        << csv << "also where semicolons separate fields";
    EXPECT_EQ(run({"dead-letters", "export", "--format", "xml"}).status, 64);
}

TEST_F(dead_letters, failed_attempts_are_shown_with_their_duration_and_worker) {
    const auto id = dead_letter("no answer");
    for (const auto& shown :
         {run({"dead-letters", "show", id}),
          run({"jobs", "show", value("select id from postrider.dead_letters")})}) {
        EXPECT_TRUE(contains(shown.output, "failed attempts")) << shown.output;
        EXPECT_TRUE(contains(shown.output, worker)) << shown.output;
        EXPECT_TRUE(contains(shown.output, "permanent failure")) << shown.output;
    }
}

TEST_F(dead_letters, hostile_text_reaches_the_terminal_escaped) {
    const std::string hostile =
        "\x1b[31mred\x1b]0;title\x07\r\nline \"quoted\" <b>html</b> \xc2\x9b"
        "2J \xe2\x80\xaegnp.exe";
    const auto id = dead_letter(hostile, R"({"note": "\u001b[2J\u009b2J", "html": "<script>"})");
    for (const auto& arguments : {std::vector<std::string>{"dead-letters", "list"},
                                  {"dead-letters", "groups"},
                                  {"dead-letters", "show", id},
                                  {"alerts"},
                                  {"dead-letters", "list", "--json"},
                                  {"dead-letters", "show", id, "--json"},
                                  {"dead-letters", "replay", "--all", "--dry-run"}}) {
        const auto printed = run(arguments);
        EXPECT_EQ(printed.status, 0) << printed.output;
        for (const char* raw : {"\x1b", "\x07", "\r", "\xc2\x9b", "\xe2\x80\xae"}) {
            EXPECT_FALSE(contains(printed.output, raw)) << arguments[1] << "\n" << printed.output;
        }
        EXPECT_TRUE(contains(printed.output, "<b>html</b>")) << printed.output;
    }
    EXPECT_TRUE(contains(run({"dead-letters", "list"}).output, R"(\x1b[31mred)"));
    EXPECT_EQ(json(run({"dead-letters", "show", id, "--json"}).output, "{last_error}"), hostile);
    EXPECT_EQ(json(run({"dead-letters", "list", "--json"}).output, "{last_error}"), hostile);
}

TEST_F(dead_letters, a_discarded_one_can_be_taken_back) {
    const auto id = dead_letter();
    const auto discarded =
        run({"dead-letters", "discard", "--id", id, "--reason", "a test", "--yes"});
    EXPECT_EQ(discarded.status, 0) << discarded.output;
    EXPECT_TRUE(contains(discarded.output, "1 dead letter discarded")) << discarded.output;
    EXPECT_EQ(run({"dead-letters", "list"}).output, "no dead letters\n");
    EXPECT_TRUE(contains(run({"dead-letters", "list", "--discarded"}).output, "a test"));
    const auto gone = run({"dead-letters", "show", id});
    EXPECT_EQ(gone.status, 1);
    EXPECT_TRUE(contains(gone.output, "discarded for billing.send_invoice")) << gone.output;
    EXPECT_EQ(run({"dead-letters", "discard", "--id", id, "--reason", "again", "--yes"}).status, 1);

    const auto restored = run({"dead-letters", "restore", "--id", id, "--reason", "it was not",
                               "--actor", "bob", "--json"});
    EXPECT_EQ(restored.output, "{\"restored\":1}\n");
    EXPECT_EQ(run({"dead-letters", "list", "-q"}).output, id + "\n");
    const auto audits = run({"audits", "--actor", "bob", "--json"}).output;
    EXPECT_EQ(json(audits, "{reason}"), "it was not") << audits;
}

TEST_F(dead_letters, an_edited_one_is_replaced_and_runs) {
    const auto id = dead_letter("amount is a string", R"({"amount": "12"})");
    const auto file = postrider_.home() / "fixed.json";
    std::ofstream(file) << "{\"amount\": 12}";
    const auto edited =
        run({"dead-letters", "edit", id, "--payload-file", file.string(), "--header", "fixed=yes",
             "--reason", "amount was a string", "--yes", "--json"});
    EXPECT_EQ(edited.status, 0) << edited.output;
    const auto message = json(edited.output, "{id}");
    run_until(1, "delivered");
    EXPECT_EQ(value("select format('%s %s %s', status, payload ->> 'amount', headers ->> 'fixed')"
                    " from postrider.outbox where id = $1",
                    {message}),
              "delivered 12 yes");
    EXPECT_EQ(run({"dead-letters", "list"}).output, "no dead letters\n");

    std::ofstream(file) << "{\"amount\": ";
    const auto broken = run({"dead-letters", "edit", dead_letter(), "--payload-file", file.string(),
                             "--reason", "x", "--yes"});
    EXPECT_EQ(broken.status, 64);
    EXPECT_TRUE(contains(broken.output, "is not JSON")) << broken.output;
}

TEST_F(dead_letters, nothing_is_changed_without_a_reason_and_a_yes) {
    const auto id = dead_letter();
    for (const auto* action : {"replay", "discard"}) {
        const auto unasked = run({"dead-letters", action, "--id", id, "--reason", "fixed"});
        EXPECT_EQ(unasked.status, 64) << unasked.output;
        EXPECT_TRUE(contains(unasked.output, "--yes")) << unasked.output;
        const auto unreasoned = run({"dead-letters", action, "--id", id, "--yes"});
        EXPECT_EQ(unreasoned.status, 64) << unreasoned.output;
        EXPECT_TRUE(contains(unreasoned.output, "--reason is required")) << unreasoned.output;
        const auto everything = run({"dead-letters", action, "--reason", "fixed", "--yes"});
        EXPECT_EQ(everything.status, 64) << everything.output;
        EXPECT_TRUE(contains(everything.output, "--all")) << everything.output;
    }
    EXPECT_EQ(run({"dead-letters", "list", "-q"}).output, id + "\n");
    EXPECT_EQ(value("select count(*) from postrider.audits"), "0");
}

TEST_F(dead_letters, a_missing_object_has_its_own_exit_code) {
    EXPECT_EQ(run({"dead-letters", "show", "4711"}).status, 66);
    EXPECT_EQ(run({"dead-letters", "show", "not-an-id"}).status, 64);
    EXPECT_EQ(run({"dead-letters", "show", "0190a0b0-0000-7000-8000-000000000000"}).status, 66);
    EXPECT_EQ(run({"dead-letters", "discard", "--id", "4711", "--reason", "x", "--yes"}).status,
              66);
    EXPECT_EQ(run({"replay", "status", "4711"}).status, 66);
    EXPECT_EQ(run({"replay", "start", "--handler", "unknown", "--reason", "x", "--yes"}).status,
              66);
    EXPECT_EQ(run({"consumers", "pause", "unknown", "--reason", "x"}).status, 66);
    EXPECT_EQ(run({"handlers", "hold", "billing", "unknown", "--reason", "x"}).status, 66);
}

TEST_F(dead_letters, a_filter_that_means_nothing_is_told_by_every_change) {
    for (const auto* action : {"discard", "restore", "replay"}) {
        std::vector<std::string> words{"dead-letters", action,     "--source",
                                       "unknown",      "--reason", "x"};
        if (action != std::string("restore")) {
            words.emplace_back("--yes");
        }
        const auto nothing = run(words);
        EXPECT_EQ(nothing.status, 66) << action << nothing.output;
        EXPECT_TRUE(contains(nothing.output, "letter matches")) << nothing.output;
    }
}

TEST_F(dead_letters, an_invalid_id_is_distinguished_from_one_out_of_range) {
    const auto word = run({"dead-letters", "show", "x"});
    EXPECT_EQ(word.status, 64);
    EXPECT_TRUE(contains(word.output, "neither a delivery id (a number) nor a message id"))
        << word.output;
    const auto large = run({"dead-letters", "show", "99999999999999999999"});
    EXPECT_EQ(large.status, 64);
    EXPECT_TRUE(contains(large.output, "out of range: 99999999999999999999")) << large.output;
}

TEST_F(dead_letters, a_header_takes_one_word_only) {
    const auto edited =
        run({"dead-letters", "edit", "--header", "a=b", dead_letter(), "--reason", "x", "--yes"});
    EXPECT_EQ(edited.status, 0) << edited.output;
}

}  // namespace
}  // namespace postrider::test
