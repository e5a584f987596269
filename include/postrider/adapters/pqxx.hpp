#pragma once

#include <postrider/executor.hpp>
#include <pqxx/pqxx>
#include <string>
#include <vector>

namespace postrider {

/// Publishes within a libpqxx transaction (libpqxx 6.4 and 7). It refers to the transaction and
/// nothing more: commit and abort stay with the caller, and so do libpqxx's exceptions.
///
///   pqxx::work work(connection);
///   work.exec_params("insert into orders (id, total) values ($1, $2)", 42, 4200);
///   postrider::pqxx_executor within(work);
///   postrider::publish(within, {.event_type = "order.placed", .payload = R"({"order": 42})"});
///   work.commit();
class pqxx_executor : public executor {
  public:
    explicit pqxx_executor(pqxx::transaction_base& within) : within_(within) {}

    std::string query_value(const char* sql, parameters values) override {
        std::vector<const char*> texts;  // null pointers are nulls
        texts.reserve(values.size());
        for (const auto& value : values) {
            texts.push_back(value ? value->c_str() : nullptr);
        }
        const auto rows = within_.exec_params(sql, pqxx::prepare::make_dynamic_params(texts));
        return rows.empty() || rows[0].empty() || rows[0][0].is_null() ? std::string()
                                                                       : rows[0][0].c_str();
    }

  private:
    pqxx::transaction_base& within_;
};

}  // namespace postrider
