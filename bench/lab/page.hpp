#pragma once

#include <string>

namespace postrider::bench {

struct page_options {
    std::string root;
    bool check = false;
};

/// Puts the tables of bench/results into docs/benchmarks.md, between the marks that name them, and
/// draws docs/benchmarks/*.svg. Same results, same bytes.
void write_page(const page_options& options);

}  // namespace postrider::bench
