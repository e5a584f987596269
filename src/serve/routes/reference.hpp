#pragma once

#include <string>

namespace postrider::serve {

/// docs/reference/http.md: the description of the API for people.
std::string reference_page();

}  // namespace postrider::serve
