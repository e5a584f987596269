#pragma once

#include <string>
#include <string_view>

namespace postrider::sinks {

/// Sixteen digits that are the same for the same address, without a user name and password before
/// the host. Never shown: a sender with the same digits shares the target.
std::string place_fingerprint(std::string_view url);
/// Eight digits for names and logs, which reveal neither the address nor the fingerprint.
std::string place_label(std::string_view url);

}  // namespace postrider::sinks
