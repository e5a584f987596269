#include "support/test_database.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <postrider/error.hpp>
#include <stdexcept>

namespace postrider::test {
namespace {

std::map<std::string, std::string> read_environment() {
    const char* file = std::getenv("POSTRIDER_TEST_ENV");
    if (file == nullptr) {
        throw std::runtime_error(
            "POSTRIDER_TEST_ENV is not set: run this test through ctest, or start a server with "
            "`postrider_test_cluster start <dir>` and set it to <dir>/env");
    }
    std::map<std::string, std::string> variables;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const auto equals = line.find('=');
        if (equals != std::string::npos) {
            variables[line.substr(0, equals)] = line.substr(equals + 1);
        }
    }
    if (variables.empty()) {
        throw std::runtime_error(std::string(file) + " does not describe a server");
    }
    return variables;
}

const std::map<std::string, std::string>& environment() {
    static const auto variables = read_environment();
    return variables;
}

std::string fresh_name() {
    static std::atomic<int> count{0};
    return "test_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
}

}  // namespace

std::string test_conninfo(const std::string& database) {
    const auto& variables = environment();
    return "host='" + variables.at("PGHOST") + "' port=" + variables.at("PGPORT") +
           " user=" + variables.at("PGUSER") + " dbname=" + database;
}

std::string test_socket() {
    return environment().at("PGHOST") + "/.s.PGSQL." + environment().at("PGPORT");
}

namespace {

std::string template_of(test_database::contents from) {
    using contents = test_database::contents;
    const char* wanted = std::getenv("POSTRIDER_TEST_TEMPLATE");
    switch (from) {
        case contents::migrated:
            return wanted == nullptr ? "postrider_native_template" : wanted;
        case contents::migrated_in_sql:
            return "postrider_template";
        case contents::empty:
            break;
    }
    return "template0";
}

}  // namespace

test_database::test_database(contents from) : name_(fresh_name()), conninfo_(test_conninfo(name_)) {
    pg::connection session(test_conninfo("postgres"));
    session.exec("drop database if exists " + name_ + " with (force)");
    session.exec("create database " + name_ + " template " + template_of(from));
    if (from == contents::migrated) {
        // A database does not inherit its template's settings.
        session.exec("alter database " + name_ + " set postrider.native = on");
    }
}

test_database::~test_database() {
    try {
        pg::connection session(test_conninfo("postgres"));
        session.exec("drop database if exists " + name_ + " with (force)");
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s is left behind: %s\n", name_.c_str(), problem.what());
    }
}

}  // namespace postrider::test
