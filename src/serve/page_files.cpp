#include "serve/page_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace postrider::serve {

const embedded_file* page_file(std::string_view path) {
    const auto files = page_files();
    const auto found = std::find_if(files.begin(), files.end(),
                                    [&](const auto& file) { return file.path == path; });
    return found == files.end() ? nullptr : &*found;
}

std::string_view content_type(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
    }};
    for (const auto& [end, type] : known) {
        if (path.ends_with(end)) {
            return type;
        }
    }
    return "application/octet-stream";
}

}  // namespace postrider::serve
