// Runs the commands of docs/guides/dead-letters.md and compares their output with the page.
#include <fstream>
#include <regex>
#include <sstream>

#include "e2e/operating_fixture.hpp"

namespace postrider::test {
namespace {

// Replaces values that differ in every run, and the column widths that depend on them.
std::string normal(const std::string& text) {
    static const std::regex instant(
        R"(\d{4}-\d\d-\d\d( \d\d:\d\d:\d\dZ|T\d\d:\d\d:[0-9.]+\+00:00))");
    static const std::regex uuid(R"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})");
    static const std::regex person(R"(ann@[^ \n]+)");
    static const std::regex spaces(R"( +)");
    static const std::regex milliseconds(R"(((?:permanent|transient) failure) [0-9.]+ <uuid>)");
    static const std::regex line_end(R"( *\n *)");
    auto same = std::regex_replace(text, instant, "<instant>");
    same = std::regex_replace(same, uuid, "<uuid>");
    same = std::regex_replace(same, person, "ann@db");
    same = std::regex_replace(same, spaces, " ");
    same = std::regex_replace(same, milliseconds, "$1 <ms> <uuid>");
    return std::regex_replace(same, line_end, "\n");
}

class guide : public operating_fixture {
  protected:
    void SetUp() override {
        operating_fixture::SetUp();
        std::ifstream file(POSTRIDER_ROOT "/docs/guides/dead-letters.md");
        std::stringstream text;
        text << file.rdbuf();
        page_ = text.str();
        sql("select postrider.register_worker($1, 'billing',"
            " '[{\"name\": \"billing.send_invoice\", \"event_types\": [\"order.*\"],"
            "    \"max_attempts\": 1}]', p_alive_for => '1 hour')",
            {worker});
        die();
    }

    // Order 0 has a total that is no number; the mail server is away for the others.
    void die() {
        sql("select postrider.publish('order.placed', jsonb_build_object('order', i, 'total',"
            " case i when 0 then to_jsonb('12'::text) else to_jsonb(i * 100) end),"
            " p_source => 'shop') from generate_series(0, 31) i");
        for (const auto* at_once : {"1", "100"}) {
            sql("select postrider.settle($1, min(c.lease_id), min(c.lease_token::text)::uuid,"
                " p_failures => jsonb_agg(jsonb_build_object('seq', c.seq,"
                " 'handler', 'billing.send_invoice', 'outcome', case c.payload ->> 'order'"
                " when '0' then 'terminal' else 'transient' end, 'error_class',"
                " case c.payload ->> 'order' when '0' then 'payload' else 'connection' end,"
                " 'error', case c.payload ->> 'order' when '0' then"
                " 'total must be a number, not \"12\"' else 'connect to mail.example.com:25: no "
                "answer"
                " after ' || 5001 + (c.payload ->> 'order')::int || ' ms' end) order by c.seq))"
                " from postrider.claim($1, $2::int) c",
                {worker, at_once});
        }
    }
    // Runs due deliveries: there is no customer 17.
    int run_orders() {
        return std::stoi(value(
            "with due as materialized (select * from postrider.claim_due($1, 100))"
            " select count(*) from postrider.settle_due($1, coalesce((select jsonb_agg("
            " jsonb_build_object('delivery', delivery_id, 'token', lease_token) ||"
            " case payload ->> 'order' when '17' then '{\"outcome\": \"terminal\", \"error_class\":"
            " \"data\", \"error\": \"no customer 17\"}'::jsonb else '{\"outcome\": \"delivered\"}'"
            " end) from due), '[]'))",
            {worker}));
    }

    // The output that the page shows for a command, up to the next one.
    std::string shown(const std::string& command) const {
        const auto line = "\n$ " + command + "\n";
        const auto begin = page_.find(line);
        if (begin == std::string::npos) {
            ADD_FAILURE() << "the page does not show " << command;
            return "";
        }
        // From the line end on, so that a command that prints nothing is found to print nothing.
        const auto from = begin + line.size() - 1;
        const auto end = std::min(page_.find("\n$ ", from), page_.find("\n```", from));
        return page_.substr(from + 1, end - from);
    }
    // Runs a line of the page in a shell, in which postrider is this program.
    std::string printed(const std::string& command) {
        auto variables = postrider_.variables();
        const auto done =
            test::run({"/bin/bash", "-c",
                       "cd \"$HOME\"; postrider() { " POSTRIDER_PROGRAM " \"$@\"; }; " + command +
                           " </dev/null 2>&1"},
                      variables);
        return done.output;
    }
    void expect_shown(const std::string& command) {
        EXPECT_EQ(normal(shown(command)), normal(printed(command))) << command;
    }

    std::string page_;
};

TEST_F(guide, every_output_on_the_page_of_dead_letters_matches_the_program) {
    expect_shown("postrider dead-letters groups");
    expect_shown("postrider handlers");
    expect_shown(
        "postrider handlers release billing billing.send_invoice --reason 'mail server is back'");

    const std::string replay =
        "postrider dead-letters replay --class connection --canary 2 --rate 50"
        " --reason 'mail server is back' --wait";
    const auto whole = shown(replay);
    const auto preview = normal(whole.substr(0, whole.find("…")));
    EXPECT_EQ(normal(printed(replay + " --dry-run")).substr(0, preview.size()), preview);
    auto following = begin({"dead-letters", "replay", "--class", "connection", "--canary", "2",
                            "--rate", "50", "--reason", "mail server is back", "--wait", "--yes"});
    int ran = 0;
    ASSERT_TRUE(eventually([&] { return (ran += run_orders()) >= 31; })) << ran;
    following->wait();
    const auto outcome = whole.substr(whole.find("[y/N] y\n") + 8);
    EXPECT_TRUE(normal(following->output()).ends_with(normal(outcome))) << following->output();

    expect_shown("postrider dead-letters show 18");
    printed("echo '{\"order\": 0, \"total\": 12}' > fixed.json");
    expect_shown(
        "postrider dead-letters edit 1 --payload-file fixed.json --reason 'total was a string' "
        "--yes");
    expect_shown(
        "postrider dead-letters discard --id 18 --reason 'customer 17 was a test' --quiet --yes");
    expect_shown("postrider dead-letters list --discarded --id 18");
    expect_shown("postrider dead-letters restore --id 18 --reason 'it was not'");
    expect_shown("postrider replay status 1");
    expect_shown("postrider audits --limit 3");
}

// Every statement of the page's SQL is one that PostgreSQL can plan.
TEST_F(guide, every_statement_on_the_page_is_understood) {
    const auto begin = page_.find("```sql\n") + 7;
    std::istringstream block(page_.substr(begin, page_.find("```", begin) - begin));
    std::string statement;
    int statements = 0;
    for (std::string line; std::getline(block, line);) {
        statement += line.substr(0, line.find("--")) + "\n";
        if (statement.find(';') != std::string::npos) {
            statement = std::regex_replace(statement, std::regex("018f…"),
                                           value("select gen_random_uuid()"));
            EXPECT_NO_THROW(sql(("explain " + statement).c_str())) << statement;
            statement.clear();
            ++statements;
        }
    }
    EXPECT_GE(statements, 10);
}

}  // namespace
}  // namespace postrider::test
