#include "store/listing.hpp"

namespace postrider::store {

std::string_view listing::text(int row, std::string_view column) const {
    for (int i = 0; i < rows_.columns(); ++i) {
        if (rows_.column_name(i) == column) {
            return rows_.text(row, i);
        }
    }
    return {};
}

listing list(pg::connection& session, const list_query& query) {
    const auto more = query.for_people.empty() ? "" : query.for_people + ", ";
    const auto sql = "select v.*, " + more + "row_to_json(v) from (" + query.rows + ") v";
    return listing(session.exec_params(sql.c_str(), query.values));
}

std::string visible_columns(pg::connection& session, std::string_view view,
                            std::string_view hidden) {
    const auto row = session.exec_params(
        "select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute"
        " where attrelid = ('postrider.' || $1)::regclass and attnum > 0"
        " and has_column_privilege(attrelid, attnum, 'select') and attname <> all ($2::text[])",
        pg::params(view, hidden));
    // Without any privilege the query itself fails with a clear error.
    return row.is_null(0, 0) ? "*" : row.get<std::string>(0, 0);
}

}  // namespace postrider::store
