#pragma once

#include <deque>
#include <memory>
#include <postrider/executor.hpp>
#include <postrider/message.hpp>
#include <postrider/sink.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/messages/new_message.hpp"

namespace postrider::client {

/// Messages that have passed check_message(), with everything filled in that is not left to the
/// database: id, channel, trace context. Texts stay the caller's.
class outgoing {
  public:
    void add(const message& input) { add(input, id_for(input)); }
    void add(const message& input, const uuid& id);
    void clear();

    std::span<const store::new_message> rows() const { return rows_; }
    std::span<const uuid> ids() const { return ids_; }
    const store::new_message& operator[](std::size_t i) const { return rows_[i]; }

  private:
    static uuid id_for(const message& input);
    std::string_view channel_of(const message& input);

    std::vector<store::new_message> rows_;
    std::vector<uuid> ids_;
    std::deque<std::string> channels_;  ///< a deque: views of its texts stay valid
};

/// publish() as a statement for any executor; gives its twenty parameters.
extern const char* const publish_statement;
std::vector<std::optional<std::string>> publish_parameters(const store::new_message& row);

/// Reports a published message to a sink. Exceptions of the sink are ignored.
void report_published(sink& to, const store::new_message& row) noexcept;

}  // namespace postrider::client
