#pragma once

#include <optional>
#include <string>
#include <vector>

namespace postrider::bench {

struct bar {
    std::string label;
    std::optional<double> value;  ///< empty: labelled as not measured
    bool ours = false;
};
struct bar_panel {
    std::string title;
    std::vector<bar> bars;
};

struct curve_panel {
    std::string title;
    std::string x_title;
    std::vector<double> x;  ///< drawn on a logarithmic scale
    std::vector<double> y;  ///< drawn from zero
};

/// Panels in two columns as one SVG: no script, no font file, the same bytes for the same figures.
std::string draw_bars(const std::vector<bar_panel>& panels);
std::string draw_curves(const std::vector<curve_panel>& panels);

}  // namespace postrider::bench
