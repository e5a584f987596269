#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "serve/auth/secret.hpp"
#include "serve/server.hpp"
#include "store/operate/tokens.hpp"
#include "support/eventually.hpp"
#include "support/test_database.hpp"

namespace postrider::test {

using nlohmann::json;

/// A server of the operator's surface with a database of its own.
class serve_fixture : public ::testing::Test {
  protected:
    static constexpr auto worker = "6f0c1f5e-3b0a-4a53-9a57-0b8a1f1f0001";
    static constexpr auto workspace = "0b8a1f1f-0000-4000-8000-00000000000a";
    static constexpr auto elsewhere = "0b8a1f1f-0000-4000-8000-00000000000b";

    serve::serve_options options() const {
        return {.database = database_.conninfo(),
                .port = 0,
                .link_token = "prt_admin",
                .link_name = "ann@ops",
                .requests_per_s = 10000,
                .burst = 10000,
                .sample_every = std::chrono::milliseconds(100),
                .point_every = std::chrono::milliseconds(200)};
    }
    void start() { start(options()); }
    void start(serve::serve_options settings) {
        server_ = std::make_unique<serve::server>(std::move(settings));
        EXPECT_TRUE(eventually([&] { return get("/readyz", "").status == 200; }));
    }

    struct reply {
        int status = 0;
        json body;
        std::string text;
        httplib::Headers headers;
        std::string header(const std::string& name) const {
            const auto found = headers.find(name);
            return found == headers.end() ? "" : found->second;
        }
    };
    static reply reply_of(const httplib::Result& result) {
        if (!result) {
            return {};
        }
        return {result->status, json::parse(result->body, nullptr, false), result->body,
                result->headers};
    }
    httplib::Client client() const {
        httplib::Client made("127.0.0.1", server_->port());
        made.set_read_timeout(20);
        return made;
    }
    static httplib::Headers bearer(const std::string& token) {
        return token.empty() ? httplib::Headers{}
                             : httplib::Headers{{"Authorization", "Bearer " + token}};
    }
    reply get(const std::string& path, const std::string& token = "prt_admin",
              httplib::Headers more = {}) const {
        more.merge(bearer(token));
        return reply_of(client().Get(path, more));
    }
    reply post(const std::string& path, const json& body, const std::string& token = "prt_admin",
               httplib::Headers more = {{"x-postrider", "1"}}) const {
        more.merge(bearer(token));
        return reply_of(client().Post(path, more, body.dump(), "application/json"));
    }
    /// Of the files of the page, as the page names it.
    std::string version_of_files() const {
        const auto page = get("/", "").text;
        const std::string begin = "/assets/";
        const auto at = page.find(begin) + begin.size();
        return page.substr(at, page.find('/', at) - at);
    }
    /// A stored token.
    std::string token(const std::string& name, const std::string& role,
                      std::optional<std::string> only = {}) {
        const auto made = serve::make_token();
        store::create_token(session_,
                            {.name = name,
                             .sha256 = serve::sha256_hex(made),
                             .role = role,
                             .workspace = std::move(only)},
                            {"ann", "a test"});
        return made;
    }

    std::string value(const std::string& sql) {
        const auto rows = session_.exec(sql);
        return rows.empty() ? "" : std::string(rows.text(0, 0));
    }
    void register_worker() {
        session_.exec(std::string("select postrider.register_worker('") + worker +
                      "', 'billing', '[{\"name\": \"billing.charge\", \"event_types\": "
                      "[\"order.*\"]}, {\"name\": \"billing.mail\", \"event_types\": "
                      "[\"mail.*\"]}]', p_alive_for => '1 hour', p_host => 'h', p_version => '1')");
    }
    /// Publishes one message and lets it die; gives its delivery.
    std::string dead_letter(const std::string& error = "no answer",
                            const std::string& of = workspace) {
        const auto id = value(
            "select postrider.publish('order.placed', '{\"secret\": \"hunter2\"}', p_source => "
            "'shop', p_workspace_id => '" +
            of +
            "', p_headers => '{\"h\": 1}', p_trace_context => "
            "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')");
        const auto ids = "'" + std::string(worker) + "'";
        session_.exec("select postrider.settle(" + ids +
                      ", c.lease_id, c.lease_token, p_failures => jsonb_build_array("
                      "jsonb_build_object('seq', c.seq, 'handler', 'billing.charge', 'outcome', "
                      "'terminal', 'error_class', 'timeout', 'error', '" +
                      error + "'))) from postrider.claim(" + ids + ", 1) c");
        return value("select delivery_id from postrider.dead_letters where id = '" + id + "'");
    }
    /// Example data of every kind.
    void seed() {
        register_worker();
        session_.exec("select postrider.add_alert_target('pager')");
        const auto first = dead_letter();
        dead_letter();
        dead_letter("no answer at all");
        dead_letter("elsewhere", elsewhere);
        session_.exec("select postrider.discard('{\"deliveries\": [" + dead_letter("gone") +
                      "]}', 'ann', 'known')");
        // One that was replayed and died again.
        session_.exec("select postrider.replay_start('{\"deliveries\": [" + first +
                      "], \"workspace_id\": \"" + workspace + "\"}', 'ann', 'again')");
        session_.exec("select postrider.replay_step()");
        const auto ids = "'" + std::string(worker) + "'";
        session_.exec("with due as materialized (select * from postrider.claim_due(" + ids +
                      ", 10)) select postrider.settle_due(" + ids +
                      ", (select jsonb_agg(jsonb_build_object('delivery', delivery_id, 'token', "
                      "lease_token, 'outcome', 'terminal', 'error', 'still no answer', "
                      "'error_class', 'timeout')) from due))");
        session_.exec("select postrider.publish('mail.wanted', p_available_at => now() + '1 day')");
        session_.exec("select postrider.publish('mail.wanted', '{\"n\": 1}')");
        session_.exec("select count(*) from postrider.claim(" + ids + ", 2)");
        session_.exec("select postrider.publish('mail.wanted', '{\"n\": 2}')");
        session_.exec(
            "select postrider.define_schedule('nightly', '{\"cron\": \"0 3 * * *\","
            " \"message\": {\"event_type\": \"report.due\"}}')");
        session_.exec("select postrider.record_runs(" + ids +
                      ", '[{\"handler\": \"billing.charge\", \"delivered\": 3, \"attempts\": [3], "
                      "\"run_times\": [0, 1, 2], \"queue_times\": [3]}]')");
        session_.exec("select postrider.hold_handler('billing', 'billing.charge', 'ann', 'calm')");
        session_.exec("select postrider.release_handler('billing', 'billing.charge', 'ann', 'go')");
    }

    test_database database_;
    pg::connection session_ = database_.connect();
    std::unique_ptr<serve::server> server_;
};

}  // namespace postrider::test
