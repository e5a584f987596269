#include "store/reads/listing.hpp"

#include "base/json/json.hpp"
#include "base/json/json_members.hpp"

namespace postrider::store {
namespace {

std::string plain(std::string_view value) {
    if (value == "null") {
        return {};
    }
    if (value.starts_with('"')) {
        return json_unquoted(value);
    }
    if (!value.starts_with('[')) {
        return std::string(value);
    }
    std::string all;
    for (const auto item : json_items(value)) {
        all += (all.empty() ? "" : ", ") + plain(item);
    }
    return all;
}

std::string member_of(std::string_view object, std::string_view name) {
    for (const auto& member : json_members(object)) {
        if (member.name == name) {
            return plain(member.value);
        }
    }
    return {};
}

std::optional<int> column_of(const pg::result& rows, std::string_view name) {
    for (int i = 0; i < rows.columns(); ++i) {
        if (rows.column_name(i) == name) {
            return i;
        }
    }
    return std::nullopt;
}

}  // namespace

listing::listing(pg::result rows, std::optional<int> limit) : rows_(std::move(rows)) {
    size_ = rows_.rows();
    const auto place = column_of(rows_, "place");
    if (size_ > 0 && rows_.is_null(size_ - 1, 0)) {
        --size_;
        next_ = rows_.text(size_, *place);
        if (const auto reached = column_of(rows_, "searched_to")) {
            searched_to_ = rows_.get<std::optional<std::string>>(size_, *reached);
        }
    }
    if (limit && size_ > *limit) {
        size_ = *limit;
        next_ = rows_.text(size_ - 1, *place);
        searched_to_.reset();
    }
}

std::string listing::array() const {
    json_array all;
    for (int row = 0; row < size_; ++row) {
        all.add_raw(json(row));
    }
    return all.text();
}

std::string listing::text(int row, std::string_view member) const {
    const auto column = column_of(rows_, member);
    return column ? std::string(rows_.text(row, *column)) : member_of(json(row), member);
}

std::string listing::place(int row, std::string_view key) const {
    return member_of(text(row, "place"), key);
}

listing list(pg::connection& session, std::string_view source, const pg::params& values) {
    const auto sql = "select row_to_json(v) as shown from postrider." + std::string(source) + " v";
    return listing(session.exec_params(sql.c_str(), values));
}

listing list(pg::connection& session, std::string_view view, int limit) {
    const auto sql =
        "select row_to_json(v) as shown from postrider." + std::string(view) + " v limit $1";
    return listing(session.exec_params(sql.c_str(), pg::params(limit)));
}

}  // namespace postrider::store
