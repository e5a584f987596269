#pragma once
// Declarations that the C++ blocks of the guides use. They are compiled, not run.
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <postrider/adapters/nlohmann.hpp>
#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>
#include <pqxx/pqxx>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Of libpq.
using PGconn = struct pg_conn;
extern "C" struct pg_result* PQexec(PGconn* connection, const char* query);

using namespace std::chrono_literals;
using postrider::error_list;

struct unknown_customer : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void send_mail(std::string_view) {}
inline void send_invoice(const postrider::event&, postrider::context&) {}
inline constexpr int frames = 100;
inline void encode(const postrider::event&, int) {}
inline void book(const postrider::event&, postrider::transaction&) {}
inline std::vector<postrider::message> read_orders() { return {}; }
