#include "serve/page_bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <span>
#include <stdexcept>

namespace postrider::test {
namespace {

std::vector<std::string> bundle(std::span<const embedded_file> files,
                                std::initializer_list<std::string_view> entries) {
    return serve::bundle_modules(files, std::span(entries.begin(), entries.size()));
}

TEST(page_bundle_test, modules_become_one_script_in_the_order_in_which_they_need_each_other) {
    const std::array<embedded_file, 3> files{
        {{"a/main.js", "", "import { two as zwei } from './part/two.js';\nzwei();\n"},
         {"a/part/one.js", "", "// A comment.\nexport const one = 1;\nexport class Two {}\n"},
         {"a/part/two.js", "",
          "import { one } from './one.js';\nexport async function two() { return one; }\n"}}};
    EXPECT_EQ(
        bundle(files, {"a/main.js"}).front(),
        "const module2 = (() => {\nconst one = 1;\nclass Two {}\nreturn { one, Two, };\n})();\n"
        "const module1 = (() => {\nconst { one } = module2;\n"
        "async function two() { return one; }\nreturn { two, };\n})();\n"
        "const module0 = (() => {\nconst { two: zwei } = module1;\nzwei();\nreturn { };\n})();\n"
        "export { module0, module1, module2, };\n");
}

TEST(page_bundle_test, a_second_script_uses_the_modules_of_the_first_and_exports_its_own) {
    const std::array<embedded_file, 3> files{
        {{"a/main.js", "", "import { one } from './one.js';\none();\n"},
         {"a/one.js", "", "export function one() {}\n"},
         {"a/more.js", "",
          "import { one } from './one.js';\nexport function more() { one(); }\n"}}};
    EXPECT_EQ(bundle(files, {"a/main.js", "a/more.js"}).back(),
              "import { module0, module1, } from './main.js';\n"
              "const module2 = (() => {\nconst { one } = module1;\n"
              "function more() { one(); }\nreturn { more, };\n})();\n"
              "export { module2, };\nexport const { more, } = module2;\n");
}

TEST(page_bundle_test, other_characters_than_ascii_are_escaped) {
    const std::array<embedded_file, 1> files{{{"main.js", "", "say('é … 𝄞');\n"}}};
    EXPECT_THAT(bundle(files, {"main.js"}).front(),
                testing::HasSubstr(R"(say('\u{e9} \u{2026} \u{1d11e}');)"));
}

TEST(page_bundle_test, modules_that_it_does_not_understand_are_refused) {
    const auto attempt = [](std::string_view text) {
        const std::array<embedded_file, 1> files{{{"main.js", "", text}}};
        return bundle(files, {"main.js"});
    };
    for (const auto* text :
         {"import * as all from './main.js';\n", "import { a } from './none.js';\n",
          "import { a } from './main.js';\n", "export default 1;\n", "export let a = 1;\n"}) {
        EXPECT_THROW(attempt(text), std::logic_error) << text;
    }
}

}  // namespace
}  // namespace postrider::test
