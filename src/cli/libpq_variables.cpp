#include "cli/libpq_variables.hpp"

#include <cstdlib>

#include "pg/conninfo.hpp"

namespace postrider::cli {
namespace {

std::vector<std::string>& aside() {
    static std::vector<std::string> variables;
    return variables;
}

}  // namespace

void set_libpq_variables_aside() {
    for (const auto& name : pg::environment_names()) {
        if (const char* value = std::getenv(name.c_str()); value != nullptr) {
            aside().push_back(name + "=" + value);
            ::unsetenv(name.c_str());
        }
    }
}

const std::vector<std::string>& libpq_variables_set_aside() { return aside(); }

}  // namespace postrider::cli
