#include "serve/page_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/encoding/gzip.hpp"
#include "base/encoding/sha256.hpp"
#include "serve/auth/secret.hpp"
#include "serve/page_bundle.hpp"

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

// A script in the document runs at once; the browser fetches any other one first, even from its
// cache.
std::string with_inline(std::string html, std::string_view script) {
    constexpr std::string_view place = "<script></script>";
    const auto at = html.find(place);
    return html.insert(at + std::string_view("<script>").size(), script);
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
    const auto text_of = [](std::string_view path) { return std::string(page_file(path)->text); };
    const auto add = [&](std::string path, std::string text) {
        page_asset made{.path = std::move(path), .text = std::move(text)};
        made.type = content_type(made.path);
        made.gzip = gzip(made.text, gzip_effort::small);
        made.sha256 = sha256_hex(made.text);
        assets_.push_back(std::move(made));
    };
    const auto add_versioned = [&](std::string_view name, std::string text) {
        add(std::string(folder) + version + "/" + std::string(name), std::move(text));
    };
    const auto early = "\n" + text_of("assets/early.js");
    const auto digest = sha256(early);
    inline_script_ = "'sha256-" +
                     base64url({reinterpret_cast<const char*>(digest.data()), digest.size()}) +
                     "='";
    add("index.html", with_inline(with_versions(page_file("index.html")->text, version), early));
    add("openapi.json", text_of("openapi.json"));
    // Each file takes time, even one in the browser's cache. So styles are one file, and scripts
    // are two: the modules of the first view, and the rest.
    add_versioned("page.css", text_of("assets/base.css") + text_of("assets/parts.css"));
    constexpr std::array<std::string_view, 2> entries{"assets/main.js", "assets/views.js"};
    const auto scripts = bundle_modules(page_files(), entries);
    add_versioned("main.js", scripts[0]);
    add_versioned("views.js", scripts[1]);
    add_versioned("chart.js", text_of("assets/chart.js"));
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
