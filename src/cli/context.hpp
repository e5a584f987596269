#pragma once

#include <string>

namespace postrider::cli {

/// The global options, and the exit code of the program.
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
