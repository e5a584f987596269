#include "serve/page_bundle.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>
#include <vector>

namespace postrider::serve {
namespace {

class bundler {
  public:
    explicit bundler(std::span<const embedded_file> files) : files_(files) {}

    /// The script of an entry.
    std::string bundle(const std::string& entry);

  private:
    struct part {
        std::string path;
        std::string exported = {};
        bool complete = false;
    };

    /// Appends the module after those that it imports; gives the name of its exports.
    std::string add(const std::string& path);
    std::string_view source_of(const std::string& path) const;
    std::string import(const std::string& line, const std::string& path);

    std::span<const embedded_file> files_;
    std::vector<part> parts_;
    std::string imports_;  ///< of everything in the scripts so far
    std::string text_;
};

std::string_view bundler::source_of(const std::string& path) const {
    const auto found =
        std::ranges::find_if(files_, [&](const auto& file) { return file.path == path; });
    if (found == files_.end()) {
        throw std::logic_error("the page has no module " + path);
    }
    return found->text;
}

bool is_comment(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("//") || (line.starts_with("/**") && line.ends_with("*/"));
}

// A browser keeps a script with other characters in two bytes each, and takes longer to read it.
// They occur in strings and templates alone, where an escape means the same.
std::string in_ascii(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            made += text[i];
            continue;
        }
        const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        unsigned code = lead & (0x3fU >> static_cast<unsigned>(more));
        for (int k = 0; k < more; ++k) {
            code = code << 6U | (static_cast<unsigned char>(text.at(++i)) & 0x3fU);
        }
        made += fmt::format("\\u{{{:x}}}", code);
    }
    return made;
}

std::string bundler::import(const std::string& line, const std::string& path) {
    static const std::regex names_from(R"(import (\{ .+ \}) from '(\.[^']+)';)");
    static const std::regex alias(" as ");
    std::smatch found;
    if (!std::regex_match(line, found, names_from)) {
        throw std::logic_error(path + " has an import that cannot be bundled: " + line);
    }
    const auto target = std::filesystem::path(path).parent_path() / found[2].str();
    return "const " + std::regex_replace(found[1].str(), alias, ": ") + " = " +
           add(target.lexically_normal().string()) + ";";
}

std::string bundler::add(const std::string& path) {
    static const std::regex declaration(R"(export ((?:async )?function|class|const) (\w+)\b.*)");
    const auto known = std::ranges::find(parts_, path, &part::path);
    const auto number = static_cast<std::size_t>(known - parts_.begin());
    const auto name = "module" + std::to_string(number);
    if (known != parts_.end()) {
        if (!known->complete) {
            throw std::logic_error(path + " is imported by a module that it imports");
        }
        return name;
    }
    parts_.push_back({path});
    std::string body;
    std::string exported;
    auto rest = source_of(path);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        std::string line(rest.substr(0, end));
        rest.remove_prefix(end);
        if (line.back() == '\n') {
            line.pop_back();
        }
        std::smatch found;
        if (line.starts_with("import ")) {
            line = import(line, path);
        } else if (line.starts_with("export ")) {
            if (!std::regex_match(line, found, declaration)) {
                throw std::logic_error(path + " has an export that cannot be bundled: " + line);
            }
            exported += " " + found[2].str() + ",";
            line.erase(0, std::string_view("export ").size());
        } else if (line.empty() || is_comment(line)) {
            continue;
        }
        body += line + "\n";
    }
    text_ += "const " + name + " = (() => {\n" + body + "return {" + exported + " };\n})();\n";
    parts_[number].exported = exported;
    parts_[number].complete = true;
    return name;
}

std::string bundler::bundle(const std::string& entry) {
    const auto first = parts_.size();
    text_ = imports_;
    const auto name = add(entry);
    std::string names;
    for (auto number = first; number < parts_.size(); ++number) {
        names += " module" + std::to_string(number) + ",";
    }
    text_ += "export {" + names + " };\n";
    if (const auto& own = parts_[first].exported; !own.empty()) {
        text_ += "export const {" + own + " } = " + name + ";\n";
    }
    imports_ += "import {" + names + " } from './" +
                std::filesystem::path(entry).filename().string() + "';\n";
    return in_ascii(text_);
}

}  // namespace

std::vector<std::string> bundle_modules(std::span<const embedded_file> files,
                                        std::span<const std::string_view> entries) {
    bundler made(files);
    std::vector<std::string> scripts;
    for (const auto entry : entries) {
        scripts.push_back(made.bundle(std::string(entry)));
    }
    return scripts;
}

}  // namespace postrider::serve
