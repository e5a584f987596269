#pragma once

#include <charconv>
#include <concepts>
#include <memory>
#include <optional>
#include <postrider/executor.hpp>
#include <postrider/export.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider {

/// The rows of a statement, as text. Views live as long as any copy of the rows does.
class POSTRIDER_EXPORT rows {
  public:
    rows() = default;
    /// Internal: made by transaction.
    explicit rows(std::shared_ptr<const void> result) : result_(std::move(result)) {}

    int size() const noexcept;
    int columns() const noexcept;
    bool empty() const noexcept { return size() == 0; }
    /// Rows touched by an insert, update or delete.
    long long affected() const;
    bool is_null(int row, int column) const noexcept;
    std::string_view text(int row, int column) const noexcept;  ///< empty for null
    std::optional<std::string_view> get(int row, int column) const noexcept;

  private:
    bool has(int row, int column) const noexcept;

    std::shared_ptr<const void> result_;
};

/// One connection to the database, for one thread at a time; calls block.
class POSTRIDER_EXPORT connection {
  public:
    /// A URL or key=value string; missing values come from the PG* environment variables. The
    /// encoding is always UTF-8.
    explicit connection(const std::string& database);
    connection(connection&&) noexcept;
    connection& operator=(connection&&) noexcept;
    ~connection();

    /// The libpq connection; this object keeps its ownership.
    pg_conn* native() noexcept;

  private:
    friend class transaction;
    struct state;
    std::unique_ptr<state> state_;
};

/// Begins in the constructor (read committed; `set transaction` as the first statement changes it)
/// and rolls back in the destructor unless commit() was reached. The connection must outlive it.
/// A handler's transaction is always read committed: its inbox entry was the first statement.
class POSTRIDER_EXPORT transaction : public executor {
  public:
    explicit transaction(connection& on);
    ~transaction() override;

    /// Any number of statements without parameters; returns the rows of the last one. For COPY from
    /// stdin and to stdout, call libpq's functions on native().
    rows exec(const std::string& sql);

    /// One statement with parameters $1, $2, ...: texts, numbers, booleans, optionals, nullptr.
    template <typename First, typename... Rest>
    rows exec(const std::string& sql, const First& first, const Rest&... rest) {
        return exec_text(sql, {as_parameter(first), as_parameter(rest)...});
    }

    /// Throws commit_unknown_error when the connection is lost before the server answers: the
    /// transaction may or may not have happened. docs/guides/publishing.md has the remedies.
    /// Inside a handler the worker ends the transaction: calling either there is a usage_error.
    void commit();
    void rollback();

    std::string query_value(const char* sql, parameters values) override;
    pg_conn* native() noexcept override;

    struct state;
    /// Internal: for the worker, which commits by itself.
    explicit transaction(std::unique_ptr<state> made);
    state& internals() noexcept { return *state_; }

  private:
    using parameter = std::optional<std::string>;
    rows exec_text(const std::string& sql, const std::vector<parameter>& values);

    static parameter as_parameter(std::nullptr_t) { return std::nullopt; }
    static parameter as_parameter(std::nullopt_t) { return std::nullopt; }
    static parameter as_parameter(const char* text) {
        return text == nullptr ? std::nullopt : parameter(text);
    }
    static parameter as_parameter(char letter) { return std::string(1, letter); }
    static parameter as_parameter(std::string_view text) { return std::string(text); }
    static parameter as_parameter(const std::string& text) { return text; }
    static parameter as_parameter(bool value) { return value ? "t" : "f"; }
    template <typename Number>
    requires(std::integral<Number> || std::floating_point<Number>) static parameter
        as_parameter(Number value) {
        char digits[64];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    template <typename Value>
    static parameter as_parameter(const std::optional<Value>& value) {
        return value ? as_parameter(*value) : std::nullopt;
    }

    std::unique_ptr<state> state_;
};

}  // namespace postrider
