#pragma once

#include <string>
#include <vector>

#include "cli/output/screen.hpp"
#include "pg/connection.hpp"
#include "store/listing.hpp"

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

std::vector<screen_line> page_of(const overview& now);
/// One JSON object per line.
std::string json_of(const overview& now);

}  // namespace postrider::cli
