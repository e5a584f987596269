#include "serve/page_bundle.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace postrider::test {
namespace {

TEST(page_bundle_test, modules_become_one_script_in_the_order_in_which_they_need_each_other) {
    const std::array<embedded_file, 3> files{
        {{"a/main.js", "", "import { two as zwei } from './part/two.js';\nzwei();\n"},
         {"a/part/one.js", "", "// A comment.\nexport const one = 1;\nexport class Two {}\n"},
         {"a/part/two.js", "",
          "import { one } from './one.js';\nexport async function two() { return one; }\n"}}};
    EXPECT_EQ(
        serve::bundle_modules(files, "a/main.js"),
        "const module2 = (() => {\nconst one = 1;\nclass Two {}\nreturn { one, Two, };\n})();\n"
        "const module1 = (() => {\nconst { one } = module2;\n"
        "async function two() { return one; }\nreturn { two, };\n})();\n"
        "const module0 = (() => {\nconst { two: zwei } = module1;\nzwei();\nreturn { };\n})();\n");
}

TEST(page_bundle_test, modules_that_it_does_not_understand_are_refused) {
    const auto bundle = [](std::string_view text) {
        const std::array<embedded_file, 1> files{{{"main.js", "", text}}};
        return serve::bundle_modules(files, "main.js");
    };
    for (const auto* text :
         {"import * as all from './main.js';\n", "import { a } from './none.js';\n",
          "import { a } from './main.js';\n", "export default 1;\n", "export let a = 1;\n"}) {
        EXPECT_THROW(bundle(text), std::logic_error) << text;
    }
}

}  // namespace
}  // namespace postrider::test
