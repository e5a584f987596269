#include "cli/reference/sql_page.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/embedded_files.hpp"
#include "cli/reference/contract_markdown.hpp"
#include "migrate/contract.hpp"
#include "migrate/schema_files.hpp"

namespace postrider::cli {
namespace {

std::string markdown(std::string_view contract) {
    return contract_markdown(contract, [](const std::string& name) { return name == "known"; });
}

TEST(sql_page, a_contract_becomes_paragraphs_items_and_lists) {
    EXPECT_EQ(markdown("f(a, b): does this, see known().\n"
                       "outcome is\n"
                       "  one    the first\n"
                       "  second the second\n"
                       "Takes 'a.*' and outbox_<N>; `a*b` of unknown().\n"
                       "Returns: a row,\n"
                       "  and another.\n"
                       "Raises: PR001.\n"
                       "A last word."),
              "Does this, see [known()](#known).\n"
              "outcome is\n\n"
              "```text\none    the first\nsecond the second\n```\n\n"
              "Takes 'a.\\*' and outbox_\\<N>; `a*b` of unknown().\n\n"
              "- **Returns:** a row,\n  and another.\n"
              "- **Raises:** PR001.\n\n"
              "A last word.\n");
}

TEST(sql_page, every_link_within_the_page_leads_to_a_section) {
    const auto page = sql_page(embedded_files());
    std::set<std::string> sections;
    static const std::regex title("\n###? ([^\n]+)");
    for (std::sregex_iterator at(page.begin(), page.end(), title), end; at != end; ++at) {
        EXPECT_TRUE(sections.insert(at->str(1)).second) << at->str(1) << " is there twice";
    }
    static const std::regex link(R"(\]\(#([^)]+)\))");
    int links = 0;
    for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at, ++links) {
        EXPECT_TRUE(sections.contains(at->str(1))) << at->str(1);
    }
    EXPECT_GT(links, 200);
}

TEST(sql_page, every_json_argument_is_explained_by_its_contract) {
    static const std::regex argument(R"(\bp_([a-z_]+)\s+jsonb?\b)");
    int arguments = 0;
    for (const auto& file : migrate::schema_files(embedded_files()).functions) {
        if (file.grants.empty()) {
            continue;
        }
        const auto contract = migrate::contract_of(file);
        const auto meaning = contract.substr(contract.find(": "));
        const auto from = file.text.find("function postrider.");
        const std::string head(file.text.substr(from, file.text.find(" language ", from) - from));
        for (std::sregex_iterator at(head.begin(), head.end(), argument), end; at != end; ++at) {
            EXPECT_TRUE(std::regex_search(meaning, std::regex("\\b(p_)?" + at->str(1) + "\\b")))
                << file.path << ": " << at->str(0);
            ++arguments;
        }
    }
    EXPECT_GT(arguments, 30);
}

}  // namespace
}  // namespace postrider::cli
