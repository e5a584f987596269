#include "migrate/sql_file.hpp"

#include <algorithm>
#include <map>
#include <postrider/error.hpp>
#include <set>

namespace postrider::migrate {
namespace {

constexpr std::string_view marker = "-- postrider:";

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string_view base_name(std::string_view path) {
    path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0: the whole path
    if (path.ends_with(".sql")) {
        path.remove_suffix(4);
    }
    return path;
}

[[noreturn]] void reject(const sql_file& file, const std::string& why) {
    throw error(errc::config_invalid, "sql/" + std::string(file.path) + ": " + why);
}

void add_names(std::vector<std::string>& names, std::string_view list) {
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        if (const auto name = trim(list.substr(0, comma)); !name.empty()) {
            names.emplace_back(name);
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

void apply_header(sql_file& file, std::string_view header) {
    const auto space = std::min(header.find(' '), header.size());
    const auto word = header.substr(0, space);
    const auto rest = trim(header.substr(space));
    if (word == "no-transaction") {
        file.no_transaction = true;
    } else if (word == "breaking") {
        file.breaking = true;
    } else if (word == "after") {
        add_names(file.after, rest);
    } else if (word == "grant") {
        add_names(file.grants, rest);
    } else if (word == "drop") {
        file.drops.emplace_back(rest.starts_with("drop ") ? rest : header);
    } else {
        reject(file, "unknown header '" + std::string(header) + "'");
    }
}

}  // namespace

sql_file parse_sql_file(const embedded_file& source) {
    sql_file file;
    file.path = source.path;
    file.name = base_name(source.path);
    file.sha256 = source.sha256;
    file.text = source.text;
    auto rest = source.text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const auto line = trim(rest.substr(0, end));
        if (!line.empty() && !line.starts_with("--")) {
            break;
        }
        if (line.starts_with(marker)) {
            apply_header(file, trim(line.substr(marker.size())));
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return file;
}

std::vector<sql_file> in_dependency_order(std::vector<sql_file> files) {
    std::ranges::sort(files, {}, &sql_file::path);
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!by_name.emplace(files[i].name, i).second) {
            reject(files[i], "another file has the same name, so 'after' would be ambiguous");
        }
    }
    std::vector<std::vector<std::size_t>> followers(files.size());
    std::vector<std::size_t> waiting_for(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const auto& name : files[i].after) {
            const auto found = by_name.find(name);
            if (found == by_name.end()) {
                reject(files[i], "comes after '" + name + "', which does not exist");
            }
            followers[found->second].push_back(i);
            ++waiting_for[i];
        }
    }
    // A sorted set of candidates makes the order the same on every machine.
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (waiting_for[i] == 0) {
            ready.insert(i);
        }
    }
    std::vector<sql_file> ordered;
    while (!ready.empty()) {
        const auto next = ready.extract(ready.begin()).value();
        ordered.push_back(files[next]);
        for (const auto follower : followers[next]) {
            if (--waiting_for[follower] == 0) {
                ready.insert(follower);
            }
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (waiting_for[i] != 0) {
            reject(files[i], "is part of a circle of 'after' headers");
        }
    }
    return ordered;
}

}  // namespace postrider::migrate
