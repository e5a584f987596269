#include "pg/params.hpp"

#include <limits>
#include <postrider/error.hpp>

namespace postrider::pg {

params& params::append(std::string_view bytes, bool binary) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw usage_error(errc::too_large, "a statement parameter is larger than 2 GB");
    }
    // libpq measures text parameters by their terminator: a zero byte would silently cut the value.
    if (!binary && bytes.find('\0') != std::string_view::npos) {
        throw usage_error("text for PostgreSQL must not contain a zero byte");
    }
    entries_.push_back({storage_.size(), static_cast<int>(bytes.size()), binary, false});
    storage_.append(bytes);
    storage_.push_back('\0');
    return *this;
}

params& params::add_null() {
    entries_.push_back({0, 0, false, true});
    return *this;
}

void params::clear() {
    storage_.clear();
    entries_.clear();
}

params::arrays params::view() const {
    values_.clear();
    lengths_.clear();
    formats_.clear();
    for (const auto& item : entries_) {
        values_.push_back(item.null ? nullptr : storage_.data() + item.offset);
        lengths_.push_back(item.length);
        formats_.push_back(item.binary ? 1 : 0);
    }
    return {values_.data(), lengths_.data(), formats_.data(), static_cast<int>(entries_.size())};
}

}  // namespace postrider::pg
