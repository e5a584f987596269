#pragma once

#include <optional>
#include <string>
#include <vector>

namespace postrider::bench {

/// Collects the results, one number per key.
class report {
  public:
    enum class better { higher, lower };

    struct goal {
        const char* key;
        better direction;
        double target;
        const char* meaning;
    };
    /// Every number that has a target.
    static const std::vector<goal>& goals();

    /// A key without a goal is information.
    void add(const std::string& key, double value);
    void add_text(const std::string& key, const std::string& value);

    void print_table() const;
    std::string json() const;

  private:
    struct entry {
        std::string key;
        double value;
        std::optional<std::string> text;
    };
    const entry* find(const std::string& key) const;

    std::vector<entry> entries_;
};

/// Half of the values are smaller.
double median(std::vector<double> values);
/// `part` of the values are smaller, e.g. 0.99.
double quantile(std::vector<double> values, double part);

}  // namespace postrider::bench
