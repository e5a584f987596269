#pragma once

#include <string>

namespace postrider::cli {

/// What the flags before any subcommand say, and what the program will exit with.
struct context {
    std::string database;
    std::string config_file;
    std::string data_dir;
    std::string bin_dir;
    bool no_fsync = false;
    bool json = false;
    int exit_code = 0;
};

}  // namespace postrider::cli
