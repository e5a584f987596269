#include "cli/reference/sql_page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cli/reference/contract_markdown.hpp"
#include "migrate/contract.hpp"
#include "migrate/schema_files.hpp"

namespace postrider::cli {
namespace {

using namespace migrate;

constexpr std::string_view introduction =
    "# SQL functions and views\n\n"
    "Every function and view of the schema `postrider` that a role may use. Each section is the\n"
    "contract at the beginning of its file in `sql/`, which is also the comment that `\\df+` and "
    "`\\dv+`\n"
    "of psql show. [sql/README.md](../../sql/README.md) groups the functions by task,\n"
    "[plain-sql-worker.md](../guides/plain-sql-worker.md) puts them into the order in which a "
    "worker\n"
    "calls them, and [errors.md](errors.md) lists the SQLSTATEs. Other functions are internal and "
    "may change\n"
    "with every release.\n\n"
    "This page is the output of `postrider migrate print --reference`.\n";

// Per view the roles that may read it; true: only some of its columns.
using readers_of = std::map<std::string, std::map<std::string, bool>, std::less<>>;

// The words of "a, b" without blanks, and without a prefix.
std::vector<std::string> names_in(std::string_view list, std::string_view prefix) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        const auto at = list.substr(0, comma).find(prefix);
        if (at != std::string_view::npos) {
            const auto name = list.substr(at + prefix.size(), comma - at - prefix.size());
            names.emplace_back(name.substr(0, name.find_first_of(" \n;")));
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

readers_of readers(const sql_file& grants) {
    readers_of found;
    for (auto statement : split_statements(grants.text)) {
        statement.remove_prefix(std::min(statement.find("grant select"), statement.size()));
        const auto on = statement.find(" on ");
        const auto to = statement.rfind(" to ");
        if (on == std::string_view::npos || to == std::string_view::npos) {
            continue;
        }
        for (const auto& view : names_in(statement.substr(on, to - on), "postrider.")) {
            for (const auto& role : names_in(statement.substr(to), "postrider_")) {
                const bool some = statement.substr(0, on).find('(') != std::string_view::npos;
                const auto [entry, added] = found[view].emplace(role, some);
                entry->second = entry->second && some;
            }
        }
    }
    return found;
}

void add_role(std::string& list, const std::string& role, bool some_columns) {
    list += (list.empty() ? "" : ", ") + ("`postrider_" + role) + "`" +
            (some_columns ? " (some columns)" : "");
}

// From the name of the function to the end of its result.
std::string declaration_of(const sql_file& file) {
    auto text = file.text.substr(file.text.find("function postrider.") + 9);
    text = text.substr(0, std::min(text.find(" language "), text.find("\n    language ")));
    return std::string(text.substr(0, text.find_last_not_of(" \n") + 1));
}

bool is_public(const sql_file& file, const readers_of& may_read) {
    return !file.grants.empty() || (kind_of(file) == "view" && may_read.contains(file.name));
}

std::string folder_of(const sql_file& file) {
    const auto first = file.path.find('/') + 1;
    return file.path.starts_with("functions/")
               ? "Functions of " +
                     std::string(file.path.substr(first, file.path.find('/', first) - first))
           : file.path.starts_with("compat/") ? "In other systems' words"
                                              : "Views";
}

class page {
  public:
    explicit page(const schema_files& files) : may_read_(readers(files.functions.back())) {
        for (const auto& file : files.functions) {
            by_name_.emplace(file.name, &file);
            if (is_public(file, may_read_)) {
                sections_[folder_of(file)].push_back(&file);
                shown_.insert(file.name);
            }
        }
        for (auto& [folder, members] : sections_) {
            std::ranges::sort(members, {}, &sql_file::name);
            std::ranges::for_each(members, [this](const auto* file) { define_for(*file); });
        }
        std::ranges::sort(definitions_, {}, &sql_file::name);
    }

    std::string text() const {
        std::string whole(introduction);
        for (const auto& [folder, members] : sections_) {
            whole += "\n## " + folder + "\n\n";
            for (const auto* file : members) {
                whole += (file == members.front() ? "[" : ", [") + std::string(file->name) + "](#" +
                         std::string(file->name) + ")";
            }
            whole += "\n";
            std::ranges::for_each(members, [&](const auto* file) { whole += section(*file); });
        }
        whole +=
            "\n## Shared definitions\n\nInternal functions to which the contracts above refer. No "
            "role may call them.\n";
        std::ranges::for_each(definitions_, [&](const auto* file) { whole += section(*file); });
        return whole;
    }

  private:
    // Adds the internal functions to which a contract leaves a definition.
    void define_for(const sql_file& file) {
        for (const auto& name : definitions_used(contract_of(file))) {
            const auto found = by_name_.find(name);
            if (found != by_name_.end() && shown_.insert(found->first).second) {
                definitions_.push_back(found->second);
                define_for(*found->second);
            }
        }
    }

    std::string section(const sql_file& file) const {
        auto text = "\n### " + std::string(file.name) + "\n\n";
        if (kind_of(file) == "function") {
            text += "```sql\n" + declaration_of(file) + "\n```\n\n";
        }
        text += contract_markdown(contract_of(file),
                                  [this](const auto& name) { return shown_.contains(name); });
        std::string roles;
        for (const auto& role : file.grants) {
            add_role(roles, role, false);
        }
        if (const auto readers = may_read_.find(file.name); readers != may_read_.end()) {
            for (const auto& [role, some_columns] : readers->second) {
                add_role(roles, role, some_columns);
            }
        }
        text += roles.empty() ? "" : "\nRoles: " + roles + "\n";
        return text;
    }

    readers_of may_read_;
    std::map<std::string_view, const sql_file*> by_name_;
    std::map<std::string, std::vector<const sql_file*>> sections_;
    std::vector<const sql_file*> definitions_;
    std::set<std::string_view, std::less<>> shown_;
};

}  // namespace

std::string sql_page(std::span<const embedded_file> files) {
    const schema_files sorted(files);
    return page(sorted).text();
}

}  // namespace postrider::cli
