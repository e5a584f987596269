#include "serve/page_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "serve/auth/secret.hpp"
#include "serve/http/gzip.hpp"

namespace postrider::serve {
namespace {

constexpr std::string_view folder = "assets/";

std::string version_of_all() {
    std::string digests;
    for (const auto& file : page_files()) {
        digests += file.sha256;
    }
    constexpr std::size_t digits = 16;
    return sha256_hex(digests).substr(0, digits);
}

// A module names the modules that it needs, and so on: found one after the other, they would cost
// the browser a round trip for each step. The page names all of them.
std::string module_links() {
    std::string links;
    for (const auto& file : page_files()) {
        const bool is_module = file.text.starts_with("import ") ||
                               file.text.find("\nimport ") != std::string_view::npos ||
                               file.text.find("\nexport ") != std::string_view::npos;
        if (file.path.ends_with(".js") && is_module) {
            links += "<link rel=\"modulepreload\" href=\"/" + std::string(file.path) + "\">\n    ";
        }
    }
    return links;
}

std::string with_module_links(std::string_view html) {
    constexpr std::string_view before = "<script type=\"module\"";
    const auto at = html.find(before);
    return at == std::string_view::npos
               ? std::string(html)
               : std::string(html.substr(0, at)) + module_links() + std::string(html.substr(at));
}

// The page names its scripts and styles as "/assets/name".
std::string with_versions(std::string_view html, const std::string& version) {
    constexpr std::string_view begin = "\"/assets/";
    std::string made;
    for (auto at = html.find(begin); at != std::string_view::npos; at = html.find(begin)) {
        made.append(html.substr(0, at + begin.size())).append(version).append("/");
        html.remove_prefix(at + begin.size());
    }
    return made.append(html);
}

}  // namespace

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

page_assets::page_assets() {
    const auto version = version_of_all();
    for (const auto& file : page_files()) {
        const std::string path(file.path);
        page_asset made;
        made.path = path;
        made.type = content_type(path);
        made.text = file.text;
        if (path.starts_with(folder)) {
            made.path.insert(folder.size(), version + "/");
        } else if (path.ends_with(".html")) {
            made.text = with_versions(with_module_links(file.text), version);
        }
        made.gzip = gzip(made.text, gzip_effort::small);
        made.sha256 = sha256_hex(made.text);
        assets_.push_back(std::move(made));
    }
}

const page_assets& page_assets::all() {
    static const page_assets made;
    return made;
}

const page_asset* page_assets::find(std::string_view path) const {
    const auto found =
        std::ranges::find_if(assets_, [&](const auto& asset) { return asset.path == path; });
    return found == assets_.end() ? nullptr : &*found;
}

}  // namespace postrider::serve
