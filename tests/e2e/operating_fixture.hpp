#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/program.hpp"
#include "support/eventually.hpp"
#include "support/test_database.hpp"

namespace postrider::test {

/// A database with one worker, simulated in SQL, and the program that an operator uses.
class operating_fixture : public ::testing::Test {
  protected:
    static constexpr auto worker = "6f0c1f5e-3b0a-4a53-9a57-0b8a1f1f0001";

    void SetUp() override {
        postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo());
        postrider_.set("USER", "ann");
        register_worker();
    }

    void register_worker() {
        sql("select postrider.register_worker($1, 'billing',"
            " '[{\"name\": \"billing.send_invoice\", \"event_types\": [\"*\"],"
            "    \"max_attempts\": 1}]', p_alive_for => '1 hour')",
            {worker});
    }
    pg::result sql(const char* text, const std::vector<std::string>& values = {}) {
        pg::params params;
        for (const auto& value : values) {
            params.add(value);
        }
        return session_.exec_params(text, params);
    }
    std::string value(const char* text, const std::vector<std::string>& values = {}) {
        return std::string(sql(text, values).text(0, 0));
    }

    /// Publishes one message and lets it die; gives its delivery.
    std::string dead_letter(const std::string& error = "mail server did not answer",
                            const std::string& payload = R"({"order": 42})",
                            const std::string& type = "order.placed") {
        const auto id =
            value("select postrider.publish($1, $2::jsonb, p_source => 'shop')", {type, payload});
        sql("select postrider.settle($1, c.lease_id, c.lease_token, p_failures =>"
            " jsonb_build_array(jsonb_build_object('seq', c.seq, 'handler', 'billing.send_invoice',"
            " 'outcome', 'terminal', 'error_class', 'timeout', 'error', $2::text)))"
            " from postrider.claim($1, 1) c",
            {worker, error});
        return value("select delivery_id from postrider.dead_letters where id = $1", {id});
    }
    /// Runs due deliveries; returns their number.
    int run_due(const std::string& outcome) {
        return std::stoi(
            value("with due as materialized (select * from postrider.claim_due($1, 100))"
                  " select count(*) from postrider.settle_due($1, coalesce((select"
                  " jsonb_agg(jsonb_build_object('delivery', delivery_id, 'token', lease_token,"
                  " 'outcome', $2::text, 'error', 'still no answer', 'error_class', 'timeout'))"
                  " from due), '[]'))",
                  {worker, outcome}));
    }
    /// Runs due deliveries until `count` have run.
    void run_until(int count, const std::string& outcome) {
        int ran = 0;
        EXPECT_TRUE(eventually([&] { return (ran += run_due(outcome)) >= count; })) << ran;
    }

    /// Without a terminal on stdin.
    static std::vector<std::string> command(std::vector<std::string> arguments) {
        std::vector<std::string> all{"/bin/sh", "-c", R"(exec "$@" </dev/null)", "sh"};
        for (auto& word : program::command(std::move(arguments))) {
            all.push_back(std::move(word));
        }
        return all;
    }
    finished_process run(std::vector<std::string> arguments) const {
        return test::run(command(std::move(arguments)), postrider_.variables());
    }
    std::unique_ptr<process> begin(std::vector<std::string> arguments) const {
        return std::make_unique<process>(command(std::move(arguments)), postrider_.variables());
    }

    /// The program's output, parsed as JSON by the database.
    std::string json(const std::string& text, const std::string& path) {
        return value("select $1::jsonb #>> $2::text[]", {text, path});
    }

    program postrider_;
    test_database database_;
    pg::connection session_ = database_.connect();
};

}  // namespace postrider::test
