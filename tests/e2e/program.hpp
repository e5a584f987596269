#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/process.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The real program with a home and a data directory of its own.
class program {
  public:
    program() = default;

    std::map<std::string, std::string> variables() const {
        auto all = extra_;
        all.emplace("HOME", scratch_.path().string());
        all.emplace("XDG_CONFIG_HOME", (scratch_.path() / "config").string());
        all.emplace("POSTRIDER_DATA_DIR", data_dir().string());
        all.emplace("POSTRIDER_DATABASE_URL", "");
        return all;
    }
    static std::vector<std::string> command(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), POSTRIDER_PROGRAM);
        return arguments;
    }
    finished_process run(std::vector<std::string> arguments) const {
        return test::run(command(std::move(arguments)), variables());
    }
    void set(const std::string& name, const std::string& value) { extra_[name] = value; }

    std::filesystem::path home() const { return scratch_.path(); }
    std::filesystem::path data_dir() const { return scratch_.path() / "data"; }

  private:
    scratch_directory scratch_;
    std::map<std::string, std::string> extra_;
};

}  // namespace postrider::test
