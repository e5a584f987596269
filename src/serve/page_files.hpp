#pragma once

#include <span>
#include <string_view>

#include "base/embedded_files.hpp"

namespace postrider::serve {

/// The files of the page and the API's description. The memory is static.
std::span<const embedded_file> page_files();

/// nullptr when there is none of this name: "index.html", "assets/chart.js", "openapi.json".
const embedded_file* page_file(std::string_view path);
/// By the end of its name.
std::string_view content_type(std::string_view path);

}  // namespace postrider::serve
