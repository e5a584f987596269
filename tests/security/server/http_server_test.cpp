// Requests that try to exhaust or confuse the HTTP server.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "serve/serve_fixture.hpp"
#include "support/process.hpp"
#include "support/raw_connection.hpp"

namespace postrider::test {
namespace {

class http_server_test : public serve_fixture {
  protected:
    using connections = std::vector<std::unique_ptr<raw_connection>>;

    /// A head without its last empty line.
    std::string head(const std::string& line, const std::string& token = "") const {
        return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_->port()) + "\r\n" +
               (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }
    std::string many_ranges() const {
        std::string text = "Range: bytes=0-";
        for (int i = 0; i < 2000; ++i) {
            text += ",0-";
        }
        return text + "\r\n";
    }
    std::string answer_to(const std::string& request) const {
        const raw_connection client(server_->port());
        client.send(request);
        return client.read_to_end();
    }
    static std::size_t resident_bytes() {
        std::ifstream statm("/proc/self/statm");
        std::size_t size = 0;
        std::size_t resident = 0;
        statm >> size >> resident;
        return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    }
    bool is_alive() const { return get("/healthz", "").status == 200; }
};

TEST_F(http_server_test, a_range_header_never_makes_an_answer_larger_than_the_file) {
    start();
    const auto file = "/assets/" + version_of_files() + "/chart.js";
    const auto whole = get(file, "").text.size();
    ASSERT_GT(whole, 100000U);
    const auto answer =
        answer_to(head("GET " + file) + many_ranges() + "Connection: close\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200"));
    EXPECT_LT(answer.size(), whole + 2000);
    const auto one = get(file, "", {{"Range", "bytes=0-99"}});
    EXPECT_EQ(one.status, 200);
    EXPECT_EQ(one.text.size(), whole);
    EXPECT_EQ(one.header("Accept-Ranges"), "none");
    EXPECT_EQ(get(file, "", {{"Range", "bytes=9-1"}}).status, 200);
}

TEST_F(http_server_test, slow_readers_of_a_public_file_cost_no_memory_for_its_contents) {
    start();
    const auto file = "/assets/" + version_of_files() + "/chart.js";
    ASSERT_TRUE(is_alive());
    const auto before = resident_bytes();
    connections readers;
    for (int i = 0; i < 60; ++i) {
        readers.push_back(std::make_unique<raw_connection>(server_->port(), "127.0.0.1", 4096));
        readers.back()->send(head("GET " + file) + many_ranges() + "\r\n");
    }
    for (const auto& one : readers) {
        EXPECT_TRUE(one->hears_within(5000));
    }
    // Two copies of the file for each reader would be 24 MB and more.
    EXPECT_LT(resident_bytes(), before + (12 << 20));
    EXPECT_TRUE(is_alive());
}

TEST_F(http_server_test, answers_that_slow_readers_hold_stay_within_the_byte_budget) {
    register_worker();
    auto settings = options();
    settings.in_flight_max = 2 << 20;
    start(settings);
    const auto id = value(
        "select postrider.publish('order.placed', to_jsonb(string_agg(md5(i::text), '')))"
        " from generate_series(1, 28000) i");
    const auto request = head("GET /api/v1/messages/" + id + "/payload", "prt_admin") + "\r\n";
    connections readers;
    int refused = 0;
    for (int i = 0; i < 6; ++i) {
        readers.push_back(std::make_unique<raw_connection>(server_->port(), "127.0.0.1", 4096));
        readers.back()->send(request);
        refused += readers.back()->read_some().starts_with("HTTP/1.1 503") ? 1 : 0;
    }
    // Each answer has nine tenths of a megabyte.
    EXPECT_EQ(refused, 4);
    EXPECT_EQ(get("/api/v1/me").status, 200);
    readers.clear();
    EXPECT_TRUE(
        eventually([&] { return get("/api/v1/messages/" + id + "/payload").status == 200; }));
}

TEST_F(http_server_test, exports_that_slow_readers_hold_stay_within_the_byte_budget) {
    register_worker();
    auto settings = options();
    settings.in_flight_max = 2 << 20;
    start(settings);
    dead_letter(std::string(8000, 'x'));
    // A page of nine tenths of a megabyte.
    session_.exec(
        "do $$ declare v_columns text := (select string_agg(quote_ident(attname), ', ')"
        "   from pg_attribute where attrelid = 'postrider.delivery'::regclass and attnum > 0"
        "   and not attisdropped and attname not in ('id', 'seq'));"
        " begin execute format('insert into postrider.delivery (seq, %1$s)"
        "   select -n, %1$s from postrider.delivery, generate_series(1, 110) n', v_columns); end "
        "$$");
    const auto request = head("GET /api/v1/dead-letters/export", "prt_admin") + "\r\n";
    connections readers;
    int refused = 0;
    for (int i = 0; i < 6; ++i) {
        readers.push_back(std::make_unique<raw_connection>(server_->port(), "127.0.0.1", 4096));
        readers.back()->send(request);
        refused += readers.back()->read_some().starts_with("HTTP/1.1 429") ? 1 : 0;
    }
    EXPECT_EQ(refused, 4);
    readers.clear();
    EXPECT_TRUE(eventually([&] {
        const auto answer = get("/api/v1/dead-letters/export");
        return answer.status == 200 && std::ranges::count(answer.text, '\n') == 111;
    }));
}

TEST_F(http_server_test, one_answer_has_a_largest_size) {
    register_worker();
    auto settings = options();
    settings.answer_max = 1000;
    start(settings);
    const auto id = value("select postrider.publish('order.placed', to_jsonb(repeat('x', 2000)))");
    const auto refused = get("/api/v1/messages/" + id + "/payload");
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.header("ETag"), "");
}

TEST_F(http_server_test, an_exception_in_a_thread_ends_no_more_than_its_connection) {
    process serve({POSTRIDER_PROGRAM, "serve", "--json", "--port", "0", "--no-link"},
                  {{"POSTRIDER_DATABASE_URL", database_.conninfo()},
                   {"POSTRIDER_FAULTS", "serve.accept:throw:1,serve.answer:throw:1"}});
    const auto port = json::parse(serve.wait_for_line("\"port\""))["port"].get<int>();
    const std::string request = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nConnection: close\r\n\r\n";
    // Its accept() fails first; then the thread that should answer.
    const raw_connection lost(port);
    lost.send(request);
    EXPECT_EQ(lost.read_to_end(), "");
    const raw_connection next(port);
    next.send(request);
    EXPECT_TRUE(next.read_to_end().starts_with("HTTP/1.1 200"));
    serve.kill(SIGTERM);
    EXPECT_EQ(serve.wait(), 0);
}

TEST_F(http_server_test,
       a_head_that_a_proxy_could_read_differently_is_refused_and_ends_the_connection) {
    start();
    const auto smuggled = head("GET /healthz") + "\r\n";
    const auto size = std::to_string(smuggled.size());
    const auto post = head("POST /api/v1/consumers/x/pause", "prt_admin") +
                      "x-postrider: 1\r\nContent-Type: application/json\r\n";
    for (const auto& hostile : std::vector<std::string>{
             post + "Content-Length : " + size + "\r\n\r\n",
             post + "Content-Length:\r\n " + size + "\r\n\r\n",
             post + "X-Folded: a\r\n\tContent-Length: " + size + "\r\n\r\n",
             post + "Content-Length: " + size + "\r\nContent-Length: 0\r\n\r\n",
             post + "Content-Length: " + size + "\r\nContent-Length: " + size + "\r\n\r\n",
             post + "Content-Length: +" + size + "\r\n\r\n",
             post + "Content-Length: %31\r\n\r\n",
             post + "Content-Length: 0x10\r\n\r\n",
             post + "Content-Length: 99999999999999999999999\r\n\r\n",
             post + "Content-Length: " + size + ", 0\r\n\r\n",
             post + "Content-Length: " + size + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
             post + "X: a\nContent-Length: " + size + "\r\n\r\n",
             post + "X: a\rContent-Length: " + size + "\r\n\r\n",
             post + std::string("X: a\0b", 6) + "\r\nContent-Length: 0\r\n\r\n",
             post + "no colon\r\nContent-Length: 0\r\n\r\n",
             post + ": no name\r\nContent-Length: 0\r\n\r\n",
             post + "Host: evil.example\r\nContent-Length: 0\r\n\r\n",
             head("GET /healthz") + "Content-Length: " + size + "\r\n\r\n",
             "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n",
             "GET  /healthz HTTP/1.1\r\n\r\n",
             "GET http://127.0.0.1/healthz HTTP/1.1\r\n\r\n",
             "GET /health\tz HTTP/1.1\r\n\r\n",
             "G\"T /healthz HTTP/1.1\r\n\r\n",
             "\r\n\r\n"}) {
        const auto answer = answer_to(hostile + smuggled);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 ")) << hostile << "\n" << answer;
        EXPECT_NE(answer.find("Connection: close"), std::string::npos) << hostile;
        EXPECT_EQ(answer.find("\"up\""), std::string::npos) << hostile << "\n" << answer;
        EXPECT_NE(answer.find("Content-Security-Policy"), std::string::npos) << hostile;
    }
    EXPECT_TRUE(answer_to(post + "Transfer-Encoding: chunked\r\n\r\n" + smuggled)
                    .starts_with("HTTP/1.1 411 "));
    EXPECT_TRUE(answer_to(post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}")
                    .starts_with("HTTP/1.1 415 "));
    EXPECT_TRUE(answer_to("GET /healthz HTTP/2.0\r\n\r\n").starts_with("HTTP/1.1 505 "));
    EXPECT_TRUE(is_alive());
}

TEST_F(http_server_test, a_body_that_is_not_read_is_not_taken_for_the_next_request) {
    start();
    const auto smuggled = head("GET /healthz") + "\r\n";
    const auto size = "Content-Length: " + std::to_string(smuggled.size()) + "\r\n\r\n";
    for (const auto& refused :
         {head("POST /nothing"), head("PUT /healthz"), head("POST /api/v1/replays", "prt_wrong"),
          head("POST /api/v1/replays", "prt_admin"), head("DELETE /")}) {
        const auto answer = answer_to(refused + size + smuggled + smuggled);
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 4")) << refused;
        EXPECT_EQ(answer.find("\"up\""), std::string::npos) << refused << "\n" << answer;
    }
}

TEST_F(http_server_test, pipelined_requests_are_answered_in_order) {
    start();
    const auto pause = head("POST /api/v1/consumers/x/pause", "prt_admin") +
                       "x-postrider: 1\r\nContent-Type: application/json\r\nContent-Length: "
                       "14\r\n\r\n{\"reason\":\"x\"}";
    const auto answer =
        answer_to(head("GET /healthz") + "\r\n" + pause + pause +
                  head("GET /api/v1/me", "prt_admin") + "Connection: close\r\n\r\n");
    std::string statuses;
    for (auto at = answer.find("HTTP/1.1 "); at != std::string::npos;
         at = answer.find("HTTP/1.1 ", at + 1)) {
        statuses += answer.substr(at + 9, 3) + " ";
    }
    EXPECT_EQ(statuses, "200 404 404 200 ");
}

TEST_F(http_server_test, a_head_has_a_largest_size_and_number_of_lines) {
    start();
    std::string lines;
    for (int i = 0; i < 101; ++i) {
        lines += "x: y\r\n";
    }
    EXPECT_TRUE(answer_to(head("GET /healthz") + lines + "\r\n").starts_with("HTTP/1.1 431 "));
    EXPECT_TRUE(answer_to(head("GET /healthz") + "x: " + std::string(40000, 'y'))
                    .starts_with("HTTP/1.1 431 "));
    EXPECT_TRUE(
        answer_to(head("GET /" + std::string(8100, 'y')) + "\r\n").starts_with("HTTP/1.1 414 "));
    EXPECT_TRUE(is_alive());
}

TEST_F(http_server_test, compression_costs_little) {
    start();
    const auto answer = get("/api/v1/openapi.json", "", {{"Accept-Encoding", "br"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Content-Encoding"), "");
}

}  // namespace
}  // namespace postrider::test
