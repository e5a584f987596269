#include "migrate/schema_files.hpp"

#include <algorithm>
#include <charconv>
#include <postrider/error.hpp>

#include "base/json/json.hpp"

namespace postrider::migrate {
namespace {

int version_of(const sql_file& file) {
    int version = 0;
    const auto digits = file.name.substr(0, file.name.find('_'));
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), version);
    if (problem != std::errc{} || end != digits.data() + digits.size() || version < 1) {
        throw error(errc::config_invalid,
                    "sql/" + std::string(file.path) + ": a migration is named NNNN_name.sql");
    }
    return version;
}

void check_numbering(const std::vector<migration>& migrations) {
    int expected = 1;
    for (const auto& step : migrations) {
        if (step.version != expected) {
            throw error(errc::config_invalid, "sql/" + std::string(step.file.path) +
                                                  ": expected migration number " +
                                                  std::to_string(expected));
        }
        ++expected;
    }
}

// Files in a folder internal/ are not for callers; all other functions are for some role.
void check_grants(const sql_file& file) {
    const bool internal = file.path.find("/internal/") != std::string_view::npos;
    if (file.path.starts_with("functions/") && internal != file.grants.empty()) {
        throw error(errc::config_invalid,
                    "sql/" + std::string(file.path) +
                        (internal ? ": a function that roles may call is not internal"
                                  : ": name the roles that may call it with '-- postrider: "
                                    "grant', or move it to internal/"));
    }
}

std::string grants_of(const std::vector<sql_file>& functions) {
    json_array rows;
    for (const auto& file : functions) {
        for (const auto& role : file.grants) {
            json_object row;
            row.add("function_name", file.name).add("role_name", role);
            rows.add_raw(row.text());
        }
    }
    return "set local postrider.function_grants = '" + rows.text() + "'";
}

}  // namespace

schema_files::schema_files(std::span<const embedded_file> files) {
    std::optional<sql_file> grants;
    for (const auto& source : files) {
        const auto path = source.path;
        if (path.starts_with("migrations/")) {
            auto file = parse_sql_file(source);
            const int version = version_of(file);
            migrations.push_back({version, std::move(file)});
        } else if (path.starts_with("functions/") || path.starts_with("views/") ||
                   path.starts_with("compat/")) {
            functions.push_back(parse_sql_file(source));
            check_grants(functions.back());
        } else if (path == "roles.sql") {
            roles = parse_sql_file(source);
        } else if (path == "grants.sql") {
            grants = parse_sql_file(source);
        } else if (path == "native/exchange_native.sql") {
            native = parse_sql_file(source);
        }
    }
    std::ranges::sort(migrations, {}, &migration::version);
    check_numbering(migrations);
    functions = in_dependency_order(std::move(functions));
    function_grants = grants_of(functions);
    if (grants) {
        functions.push_back(*std::move(grants));
    }
    const auto enlist = [this](const sql_file& file) {
        function_set_manifest.append(file.path).append(" ").append(file.sha256).append("\n");
    };
    if (roles) {
        enlist(*roles);
    }
    std::ranges::for_each(functions, enlist);
}

}  // namespace postrider::migrate
