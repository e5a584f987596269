#include "migrate/contract.hpp"

#include <algorithm>

namespace postrider::migrate {

std::string_view kind_of(const sql_file& file) {
    for (const std::string_view kind : {"function", "view"}) {
        const auto created = std::string(kind) + " postrider." + std::string(file.name);
        const auto at = file.text.find("\ncreate or replace " + created);
        const bool first = file.text.starts_with("create or replace " + created);
        if (at != std::string_view::npos || first) {
            return kind;
        }
    }
    return {};
}

std::string contract_of(const sql_file& file) {
    std::string contract;
    auto rest = file.text;
    while (rest.starts_with("--")) {
        const auto end = std::min(rest.find('\n'), rest.size());
        auto line = rest.substr(2, end - 2);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.starts_with(" postrider:")) {
            continue;
        }
        if (line.find_first_not_of(' ') == std::string_view::npos) {
            break;
        }
        line.remove_prefix(line.starts_with(' ') ? 1 : 0);
        contract.append(contract.empty() ? "" : "\n").append(line);
    }
    return contract;
}

std::string comment_on(const sql_file& file) {
    const auto kind = kind_of(file);
    if (kind.empty()) {
        return {};
    }
    // A file without a contract removes the comment that an earlier version of it may have left.
    const auto contract = contract_of(file);
    return "comment on " + std::string(kind) + " postrider." + std::string(file.name) + " is " +
           (contract.empty() ? "null" : sql_literal(contract)) + ";\n";
}

std::string sql_literal(std::string_view text) {
    std::string quoted = text.find('\\') == std::string_view::npos ? "'" : "E'";
    for (const char c : text) {
        quoted += c;
        if (c == '\'' || c == '\\') {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace postrider::migrate
