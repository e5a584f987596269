#include "cli/output/state_words.hpp"

#include <algorithm>

namespace postrider::cli {
namespace {

struct named_state {
    std::string_view of;
    std::string_view value;
    std::string_view text;
};

constexpr named_state named_states[] = {
#define POSTRIDER_STATE(of, value, text) {#of, #value, text},
#include "cli/output/states.def"
#undef POSTRIDER_STATE
};

}  // namespace

std::string state_text(std::string_view of, std::string_view value) {
    const auto* found = std::ranges::find_if(
        named_states, [&](const named_state& one) { return one.of == of && one.value == value; });
    if (found != std::end(named_states)) {
        return std::string(found->text);
    }
    std::string plain(value);
    std::ranges::replace(plain, '_', ' ');
    return plain;
}

}  // namespace postrider::cli
