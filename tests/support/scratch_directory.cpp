#include "support/scratch_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace postrider::test {

scratch_directory::scratch_directory() {
    auto name = (std::filesystem::temp_directory_path() / "postrider-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr || ::chmod(name.c_str(), 0755) != 0) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
}

scratch_directory::~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace postrider::test
