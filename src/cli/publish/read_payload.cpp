#include "cli/publish/read_payload.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <postrider/error.hpp>

namespace postrider::cli {
namespace {

std::string read_from(std::istream& from) {
    constexpr std::size_t most = (std::size_t{1} << 20U) + 1;
    std::string text(most, '\0');
    from.read(text.data(), static_cast<std::streamsize>(most));
    text.resize(static_cast<std::size_t>(from.gcount()));
    return text;
}

}  // namespace

std::string read_payload(const std::string& file) {
    if (file == "-") {
        return read_from(std::cin);
    }
    std::ifstream from(file, std::ios::binary);
    if (!from || std::filesystem::is_directory(file)) {
        throw usage_error("cannot read " + file + "; --payload-file needs a file with JSON in it");
    }
    return read_from(from);
}

}  // namespace postrider::cli
