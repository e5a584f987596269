#include "worker/batches/chains.hpp"

#include <optional>
#include <string_view>

namespace postrider::working {

void chains::find(const store::claimed_batch& in) {
    ends_.resize(static_cast<std::size_t>(in.size()));
    std::optional<std::string_view> next;  // the key of the message behind
    for (int index = in.size() - 1; index >= 0; --index) {
        const auto place = static_cast<std::size_t>(index);
        const auto key = in[index].ordering_key();
        ends_[place] = key && key == next ? ends_[place + 1] : index + 1;
        next = key;
    }
}

}  // namespace postrider::working
