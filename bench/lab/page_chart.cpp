#include "bench/lab/page_chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/peers_report.hpp"
#include "bench/scale/scale_report.hpp"

namespace postrider::bench {
namespace {

constexpr int panel_width = 430;
constexpr int row_height = 20;
constexpr int label_width = 124;
constexpr int bar_width = 230;
constexpr int curve_height = 190;
constexpr const char* our_colour = "#1f6f5c";
constexpr const char* their_colour = "#a9b4bf";

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '&':
                safe += "&amp;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string text_at(double x, double y, const std::string& text, const char* more = "") {
    return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text>\n", x, y, more, escaped(text));
}

std::string sheet(int width, int height, const std::string& content) {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
               "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\" "
               "fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
               width, height) +
           content + "</svg>\n";
}

constexpr const char* bold = " font-weight=\"bold\"";
constexpr const char* centred = " text-anchor=\"middle\"";
constexpr const char* to_the_left = " text-anchor=\"end\"";

std::string draw(const bar_panel& panel, double left, double top) {
    double most = 0;
    for (const auto& one : panel.bars) {
        most = std::max(most, one.value.value_or(0));
    }
    auto svg = text_at(left, top + 14, panel.title, bold);
    double y = top + 24;
    for (const auto& one : panel.bars) {
        svg += text_at(left + label_width - 8, y + 13, one.label, to_the_left);
        const auto length = most > 0 ? one.value.value_or(0) / most * bar_width : 0;
        if (one.value) {
            svg += fmt::format(
                "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"14\" fill=\"{}\"/>\n",
                left + label_width, y + 2, std::max(length, 1.0),
                one.ours ? our_colour : their_colour);
        }
        svg += text_at(left + label_width + length + 6, y + 13,
                       one.value ? readable(*one.value) : "not measured");
        y += row_height;
    }
    return svg;
}

std::string draw(const curve_panel& panel, double left, double top) {
    const double x0 = left + 50;
    const double y0 = top + curve_height - 44;
    const double width = panel_width - 90;
    const double height = curve_height - 76;
    const auto most = *std::ranges::max_element(panel.y) * 1.15;
    const auto x_of = [&](double x) {
        const auto first = std::log(panel.x.front());
        return x0 + width * (std::log(x) - first) / (std::log(panel.x.back()) - first);
    };
    const auto y_of = [&](double y) { return y0 - height * y / most; };
    auto svg = text_at(left, top + 14, panel.title, bold);
    svg += fmt::format("<path d=\"M{:.0f} {:.0f}V{:.0f}H{:.0f}\" fill=\"none\" stroke=\"#888\"/>\n",
                       x0, y0 - height, y0, x0 + width);
    std::string line;
    for (std::size_t i = 0; i < panel.x.size(); ++i) {
        const auto x = x_of(panel.x[i]);
        const auto y = y_of(panel.y[i]);
        line += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, y);
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y,
                           our_colour);
        svg += text_at(x, y - 8, readable(panel.y[i]), centred);
        svg += text_at(x, y0 + 16, short_size(panel.x[i]), centred);
    }
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", line,
                       our_colour);
    svg += text_at(x0 + width / 2, y0 + 34, panel.x_title, centred);
    return svg + text_at(x0 - 6, y0, "0", to_the_left);
}

template <typename Panel, typename Height>
std::string draw_all(const std::vector<Panel>& panels, Height height_of) {
    std::string content;
    double top = 10;
    for (std::size_t i = 0; i < panels.size(); i += 2) {
        double height = 0;
        for (std::size_t column = 0; column < 2 && i + column < panels.size(); ++column) {
            const auto& panel = panels[i + column];
            content += draw(panel, 14 + static_cast<double>(column) * panel_width, top);
            height = std::max(height, height_of(panel));
        }
        top += height + 16;
    }
    return sheet(2 * panel_width + 20, static_cast<int>(top), content);
}

}  // namespace

std::string draw_bars(const std::vector<bar_panel>& panels) {
    return draw_all(panels, [](const bar_panel& panel) {
        return 24.0 + row_height * static_cast<double>(panel.bars.size());
    });
}

std::string draw_curves(const std::vector<curve_panel>& panels) {
    return draw_all(panels, [](const curve_panel&) { return static_cast<double>(curve_height); });
}

}  // namespace postrider::bench
