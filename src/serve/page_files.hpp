#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_files.hpp"

namespace postrider::serve {

/// The files of the page and the API's description. The memory is static.
std::span<const embedded_file> page_files();

/// nullptr when there is none of this name: "index.html", "assets/chart.js", "openapi.json".
const embedded_file* page_file(std::string_view path);
/// By the end of its name.
std::string_view content_type(std::string_view path);

/// A file as it is sent.
struct page_asset {
    std::string path;  ///< with the version: "assets/1f0c…/main.js"
    std::string_view type = {};
    std::string text;
    std::string gzip = {};  ///< the same, compressed
    std::string sha256 = {};
};

/// The files of the page under names that change with their content, so that browsers may keep
/// them. The version is that of all files. All modules are one script, all styles one file.
class page_assets {
  public:
    /// Compressed once, at the first call.
    static const page_assets& all();
    const page_asset* find(std::string_view path) const;
    /// The source expression of a Content-Security-Policy for the one script within the HTML.
    const std::string& inline_script() const { return inline_script_; }

  private:
    page_assets();
    std::vector<page_asset> assets_;
    std::string inline_script_;
};

}  // namespace postrider::serve
