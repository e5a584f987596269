#pragma once

#include <cstddef>
#include <postrider/event.hpp>
#include <postrider/source.hpp>
#include <vector>

#include "base/encoding/uuid.hpp"

namespace postrider::working {

/// The id of a message from a broker, as postrider.message_uuid() derives it.
uuid id_of(const received_message& message);

/// Makes an envelope fit the limits of the database: texts are cut or, where they identify the
/// message, hashed.
void fit(received_message& message);

/// Of its payload, headers and metadata; other fields are small.
std::size_t bytes_of(const received_message& message);

/// Messages from a broker that are held together.
class received_batch {
  public:
    explicit received_batch(std::vector<received_message> messages);

    int size() const { return static_cast<int>(messages_.size()); }
    const received_message& operator[](int index) const {
        return messages_[static_cast<std::size_t>(index)];
    }
    event_fields fields(int index) const;

    /// Whether an outcome was taken from the ledger. Used by the coordinator only.
    bool settled(int index) const { return settled_[static_cast<std::size_t>(index)]; }
    /// Settles it. The batch keeps no content of it.
    received_message take(int index);
    std::size_t bytes() const { return bytes_; }  ///< of messages that are not settled

  private:
    std::vector<received_message> messages_;
    std::vector<bool> settled_;
    std::size_t bytes_ = 0;
};

}  // namespace postrider::working
