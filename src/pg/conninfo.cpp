#include "pg/conninfo.hpp"

#include <libpq-fe.h>

#include <memory>
#include <postrider/error.hpp>
#include <string_view>

namespace postrider::pg {
namespace {

struct free_options {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};
using options_ptr = std::unique_ptr<PQconninfoOption, free_options>;

options_ptr parse(const std::string& conninfo) {
    // PQconninfoParse() rejects a bare name, which libpq's tools take as the name of a database.
    char* problem = nullptr;
    options_ptr options(PQconninfoParse(conninfo.c_str(), &problem));
    PQfreemem(problem);
    if (!options) {
        throw usage_error(
            "the database address cannot be read: write postgresql://user@host:port/database or "
            "'host=... dbname=...', with special characters in a URL percent-encoded");
    }
    return options;
}

}  // namespace

void check_conninfo(const std::string& conninfo) { parse(conninfo); }

bool has_password(const std::string& conninfo) {
    const auto options = parse(conninfo);
    for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
        const std::string_view keyword = option->keyword;
        if ((keyword == "password" || keyword == "sslpassword") && option->val != nullptr &&
            *option->val != '\0') {
            return true;
        }
    }
    return false;
}

std::map<std::string, std::string> as_environment(const std::string& conninfo) {
    std::map<std::string, std::string> variables;
    const auto options = parse(conninfo);
    for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr && option->envvar != nullptr) {
            variables.emplace(option->envvar, option->val);
        }
    }
    return variables;
}

std::vector<std::string> environment_names() {
    // These belong to no option that a conninfo string could have.
    std::vector<std::string> names{"PGSERVICEFILE", "PGSYSCONFDIR", "PGREALM",    "PGDATESTYLE",
                                   "PGTZ",          "PGGEQO",       "PGLOCALEDIR"};
    const auto options = parse("");
    for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
        if (option->envvar != nullptr) {
            names.emplace_back(option->envvar);
        }
    }
    return names;
}

std::string describe_conninfo(const std::string& conninfo) {
    std::string description;
    const auto options = parse(conninfo);
    for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
        const std::string_view keyword = option->keyword;
        const bool shown = keyword == "host" || keyword == "hostaddr" || keyword == "port" ||
                           keyword == "dbname" || keyword == "user" || keyword == "service";
        if (shown && option->val != nullptr) {
            description +=
                (description.empty() ? "" : " ") + std::string(keyword) + "=" + option->val;
        }
    }
    return description.empty() ? "libpq's defaults" : description;
}

}  // namespace postrider::pg
