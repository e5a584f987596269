#pragma once

#include <string>
#include <vector>

#include "cli/output/screen.hpp"
#include "pg/connection.hpp"
#include "store/reads/listing.hpp"

namespace postrider::cli {

/// One sample of everything that `postrider top` shows.
struct overview {
    store::listing totals;
    store::listing consumers;
    store::listing trouble;
    store::listing workers;
    store::listing replays;
};

overview look(pg::connection& session);

/// `width`: columns of the terminal; tables leave out columns that do not fit. 0: no column is left
/// out.
std::vector<screen_line> page_of(const overview& now, std::size_t width);
/// One JSON object per line.
std::string json_of(const overview& now);

}  // namespace postrider::cli
