#include "support/faults/failing_libpq.hpp"

#include <dlfcn.h>
#include <libpq-fe.h>
#include <sys/socket.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace postrider::test {
namespace {

std::atomic<int> count{0};
std::atomic<int> armed{0};  // 0: nothing breaks
std::atomic<broken> place{broken::before};

std::optional<broken> next_call() {
    const bool now = ++count == armed.load();
    return now ? std::optional(place.load()) : std::nullopt;
}

// The next function of this name: libpq's own.
template <typename Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <typename Call>
auto call_and_break(PGconn* connection, Call&& call) {
    const auto where = next_call();
    if (where == broken::before) {
        ::shutdown(PQsocket(connection), SHUT_RDWR);
    } else if (where == broken::answer) {
        ::shutdown(PQsocket(connection), SHUT_RD);
    }
    const auto answer = call();
    if (where == broken::after) {
        ::shutdown(PQsocket(connection), SHUT_RDWR);
    }
    return answer;
}

}  // namespace

const char* name_of(broken where) {
    switch (where) {
        case broken::before:
            return "before";
        case broken::answer:
            return "answer";
        case broken::after:
            break;
    }
    return "after";
}

failing_libpq::failing_libpq(int nth, broken where) : nth_(nth) {
    count = 0;
    place = where;
    armed = nth;
}

failing_libpq::~failing_libpq() { armed = 0; }

int failing_libpq::calls() const { return count; }

bool failing_libpq::fired() const { return count >= nth_; }

}  // namespace postrider::test

using postrider::test::broken;
using postrider::test::call_and_break;
using postrider::test::next_call;
using postrider::test::real;

// Parameter lists are libpq's; the names of the arguments follow the declaration.
#define POSTRIDER_BREAKABLE(type, name, parameters, arguments)                 \
    type name parameters {                                                     \
        static auto* const original = real<decltype(name)>(#name);             \
        return call_and_break(connection, [&] { return original arguments; }); \
    }

extern "C" {

POSTRIDER_BREAKABLE(PGresult*, PQexec, (PGconn * connection, const char* sql), (connection, sql))
POSTRIDER_BREAKABLE(PGresult*, PQexecParams,
                    (PGconn * connection, const char* sql, int size, const Oid* types,
                     const char* const* values, const int* lengths, const int* formats, int wanted),
                    (connection, sql, size, types, values, lengths, formats, wanted))
POSTRIDER_BREAKABLE(PGresult*, PQprepare,
                    (PGconn * connection, const char* name, const char* sql, int size,
                     const Oid* types),
                    (connection, name, sql, size, types))
POSTRIDER_BREAKABLE(PGresult*, PQexecPrepared,
                    (PGconn * connection, const char* name, int size, const char* const* values,
                     const int* lengths, const int* formats, int wanted),
                    (connection, name, size, values, lengths, formats, wanted))
POSTRIDER_BREAKABLE(int, PQsendQuery, (PGconn * connection, const char* sql), (connection, sql))
POSTRIDER_BREAKABLE(int, PQsendQueryParams,
                    (PGconn * connection, const char* sql, int size, const Oid* types,
                     const char* const* values, const int* lengths, const int* formats, int wanted),
                    (connection, sql, size, types, values, lengths, formats, wanted))
POSTRIDER_BREAKABLE(int, PQsendPrepare,
                    (PGconn * connection, const char* name, const char* sql, int size,
                     const Oid* types),
                    (connection, name, sql, size, types))
POSTRIDER_BREAKABLE(int, PQsendQueryPrepared,
                    (PGconn * connection, const char* name, int size, const char* const* values,
                     const int* lengths, const int* formats, int wanted),
                    (connection, name, size, values, lengths, formats, wanted))
POSTRIDER_BREAKABLE(PGresult*, PQgetResult, (PGconn * connection), (connection))
POSTRIDER_BREAKABLE(int, PQconsumeInput, (PGconn * connection), (connection))
POSTRIDER_BREAKABLE(int, PQflush, (PGconn * connection), (connection))
POSTRIDER_BREAKABLE(int, PQpipelineSync, (PGconn * connection), (connection))
POSTRIDER_BREAKABLE(int, PQsendFlushRequest, (PGconn * connection), (connection))
POSTRIDER_BREAKABLE(int, PQputCopyData, (PGconn * connection, const char* bytes, int size),
                    (connection, bytes, size))
POSTRIDER_BREAKABLE(int, PQputCopyEnd, (PGconn * connection, const char* problem),
                    (connection, problem))
POSTRIDER_BREAKABLE(int, PQgetCopyData, (PGconn * connection, char** bytes, int async),
                    (connection, bytes, async))

// There is no socket yet to break: the server is somewhere else instead.
PGconn* PQconnectdbParams(const char* const* keys, const char* const* values, int expand) {
    static auto* const original = real<decltype(PQconnectdbParams)>("PQconnectdbParams");
    const auto where = next_call();
    if (where == broken::before || where == broken::answer) {
        std::vector<const char*> other_keys;
        std::vector<const char*> other_values;
        for (std::size_t i = 0; keys[i] != nullptr; ++i) {
            other_keys.push_back(keys[i]);
            other_values.push_back(values[i]);
        }
        other_keys.insert(other_keys.end(), {"host", nullptr});
        other_values.insert(other_values.end(), {"/nonexistent", nullptr});
        return original(other_keys.data(), other_values.data(), expand);
    }
    auto* connection = original(keys, values, expand);
    if (where == broken::after) {
        ::shutdown(PQsocket(connection), SHUT_RDWR);
    }
    return connection;
}

// Uses a separate connection that no other call sees.
int PQcancel(PGcancel* cancel, char* problem, int size) {
    static auto* const original = real<decltype(PQcancel)>("PQcancel");
    if (const auto where = next_call(); where == broken::before || where == broken::answer) {
        std::strncpy(problem, "PQcancel() -- connect() failed", static_cast<std::size_t>(size));
        problem[size - 1] = '\0';
        return 0;
    }
    return original(cancel, problem, size);
}

// So has this one.
PGPing PQping(const char* conninfo) {
    static auto* const original = real<decltype(PQping)>("PQping");
    if (const auto where = next_call(); where == broken::before || where == broken::answer) {
        return PQPING_NO_RESPONSE;
    }
    return original(conninfo);
}

}  // extern "C"
