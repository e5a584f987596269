#include "pg/connection.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "pg/conninfo.hpp"
#include "pg/errors.hpp"

namespace postrider::pg {
namespace {

void forward_notice(void* sink, const char* message) {
    const auto& call = *static_cast<connection::notice_sink*>(sink);
    if (call) {
        call(message);
    }
}

struct free_memory {
    void operator()(char* text) const noexcept { PQfreemem(text); }
};
using libpq_string = std::unique_ptr<char, free_memory>;

int format_code(format wanted) { return wanted == format::binary ? 1 : 0; }

// The first words of a statement, after leading comments, identify it in an error.
std::string operation_of(std::string_view sql) {
    constexpr std::size_t longest = 60;
    while (true) {
        sql.remove_prefix(std::min(sql.find_first_not_of(" \n\t\r"), sql.size()));
        if (!sql.starts_with("--")) {
            break;
        }
        sql.remove_prefix(std::min(sql.find('\n'), sql.size()));
    }
    auto words = std::string(sql.substr(0, longest));
    std::ranges::replace(words, '\n', ' ');
    return sql.size() > longest ? words + "..." : words;
}

int milliseconds_left(std::chrono::steady_clock::time_point deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(
        std::clamp<std::int64_t>(left.count(), 0, std::numeric_limits<int>::max()));
}

}  // namespace

connection::connection(const std::string& conninfo) : conninfo_(conninfo) { open(); }

connection connection::borrow(pg_conn* raw) {
    connection borrowed;
    borrowed.raw_ = raw;
    borrowed.owned_ = false;
    return borrowed;
}

connection::connection(connection&& other) noexcept
    : conninfo_(std::move(other.conninfo_)),
      raw_(std::exchange(other.raw_, nullptr)),
      owned_(other.owned_),
      notice_(std::move(other.notice_)) {}

connection& connection::operator=(connection&& other) noexcept {
    if (this != &other) {
        close();
        conninfo_ = std::move(other.conninfo_);
        raw_ = std::exchange(other.raw_, nullptr);
        owned_ = other.owned_;
        notice_ = std::move(other.notice_);
    }
    return *this;
}

connection::~connection() { close(); }

void connection::close() noexcept {
    if (owned_ && raw_ != nullptr) {
        PQfinish(raw_);
    }
    raw_ = nullptr;
}

void connection::open() {
    check_conninfo(conninfo_);
    // Defaults first: the caller's string comes later and overrides them. The encoding comes last,
    // because messages are UTF-8. The timeouts make a silent network failure visible in under a
    // minute instead of the kernel's two hours.
    static constexpr std::array defaults{
        std::pair{"connect_timeout", "10"},     std::pair{"keepalives_idle", "15"},
        std::pair{"keepalives_interval", "5"},  std::pair{"keepalives_count", "3"},
        std::pair{"tcp_user_timeout", "30000"}, std::pair{"fallback_application_name", "postrider"},
    };
    std::array<const char*, defaults.size() + 3> keys{};
    std::array<const char*, defaults.size() + 3> values{};
    for (std::size_t i = 0; i < defaults.size(); ++i) {
        keys[i] = defaults[i].first;
        values[i] = defaults[i].second;
    }
    keys[defaults.size()] = "dbname";
    values[defaults.size()] = conninfo_.c_str();
    keys[defaults.size() + 1] = "client_encoding";
    values[defaults.size() + 1] = "UTF8";
    raw_ = PQconnectdbParams(keys.data(), values.data(), 1);
    if (raw_ == nullptr) {
        throw std::bad_alloc();
    }
    if (!notice_) {
        notice_ = std::make_unique<notice_sink>();
    }
    PQsetNoticeProcessor(raw_, forward_notice, notice_.get());
    if (PQstatus(raw_) != CONNECTION_OK) {
        // Closed here: when the constructor throws, no destructor runs.
        const std::unique_ptr<PGconn, decltype(&PQfinish)> failed(std::exchange(raw_, nullptr),
                                                                  &PQfinish);
        throw_error(failed.get(), nullptr, "connect");
    }
}

void connection::reconnect() {
    if (!owned_) {
        throw usage_error("a borrowed connection can only be reconnected by its owner");
    }
    close();
    open();
}

result connection::check(pg_result* raw, std::string_view operation, std::string_view sql) const {
    result checked(raw);
    switch (PQresultStatus(raw)) {
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
        case PGRES_EMPTY_QUERY:
            return checked;
        case PGRES_COPY_IN:
        case PGRES_COPY_OUT:
            // The next statement ends an abandoned COPY; its error must not reach the caller, who
            // expects the error of this one.
            PQclear(PQexec(raw_, ""));
            throw usage_error(
                std::string(operation) +
                    ": COPY from stdin and to stdout do not work here; use select and insert, "
                    "publish_many() for messages, or libpq's own functions on native() "
                    "(PQexec, PQgetCopyData, PQputCopyData)",
                {.operation = std::string(operation)});
        default:
            throw_error(raw_, raw, operation, sql);
    }
}

result connection::exec(const std::string& sql) {
    auto* raw = PQexec(raw_, sql.c_str());
    if (PQresultStatus(raw) == PGRES_COMMAND_OK || PQresultStatus(raw) == PGRES_TUPLES_OK) {
        return result(raw);
    }
    return check(raw, operation_of(sql), sql);
}

result connection::begin_copy(const std::string& sql) {
    auto* raw = PQexec(raw_, sql.c_str());
    if (PQresultStatus(raw) == PGRES_COPY_IN) {
        return result(raw);
    }
    return check(raw, operation_of(sql), sql);
}

result connection::exec_params(const char* sql, const params& values, format wanted) {
    const auto arrays = values.view();
    auto* raw = PQexecParams(raw_, sql, arrays.count, nullptr, arrays.values, arrays.lengths,
                             arrays.formats, format_code(wanted));
    if (PQresultStatus(raw) == PGRES_TUPLES_OK) {
        return result(raw);
    }
    return check(raw, operation_of(sql), sql);
}

void connection::prepare(const char* name, const char* sql) {
    check(PQprepare(raw_, name, sql, 0, nullptr), std::string("prepare ") + name);
}

result connection::exec_prepared(const char* name, const params& values, format wanted) {
    const auto arrays = values.view();
    return check(PQexecPrepared(raw_, name, arrays.count, arrays.values, arrays.lengths,
                                arrays.formats, format_code(wanted)),
                 name);
}

void connection::send(const char* sql, const params& values) {
    const auto arrays = values.view();
    if (PQsendQueryParams(raw_, sql, arrays.count, nullptr, arrays.values, arrays.lengths,
                          arrays.formats, 0) == 0) {
        throw_error(raw_, nullptr, operation_of(sql));
    }
}

std::optional<result> connection::poll_answer() {
    if (PQconsumeInput(raw_) == 0) {
        throw_error(raw_, nullptr, "wait for an answer");
    }
    if (PQisBusy(raw_) != 0) {
        return std::nullopt;
    }
    auto* answer = PQgetResult(raw_);
    // libpq reports the end of the statement by a null result.
    while (auto* rest = PQgetResult(raw_)) {
        PQclear(rest);
    }
    return check(answer, "answer");
}

void connection::listen(std::string_view channel) { exec("listen " + quote_identifier(channel)); }

void connection::unlisten(std::string_view channel) {
    exec("unlisten " + quote_identifier(channel));
}

std::optional<notification> connection::take_notification() {
    struct free_notify {
        void operator()(PGnotify* notify) const noexcept { PQfreemem(notify); }
    };
    const std::unique_ptr<PGnotify, free_notify> notify(PQnotifies(raw_));
    if (!notify) {
        return std::nullopt;
    }
    return notification{notify->relname, notify->extra, notify->be_pid};
}

std::optional<notification> connection::wait_notification(std::chrono::milliseconds timeout,
                                                          int wake_fd) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        // A notification may already be buffered from an earlier statement; poll() would not return
        // for it.
        if (PQconsumeInput(raw_) == 0) {
            throw_error(raw_, nullptr, "wait for a notification");
        }
        if (auto found = take_notification()) {
            return found;
        }
        std::array<pollfd, 2> sources{pollfd{PQsocket(raw_), POLLIN, 0},
                                      pollfd{wake_fd, POLLIN, 0}};
        const int ready = ::poll(sources.data(), sources.size(), milliseconds_left(deadline));
        if (ready < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
        if (ready == 0 || (ready > 0 && sources[1].revents != 0)) {
            return std::nullopt;
        }
    }
}

std::string connection::quote_identifier(std::string_view name) const {
    const libpq_string quoted(PQescapeIdentifier(raw_, name.data(), name.size()));
    if (!quoted) {
        throw_error(raw_, nullptr, "quote a name");
    }
    return quoted.get();
}

std::string connection::quote_literal(std::string_view text) const {
    const libpq_string quoted(PQescapeLiteral(raw_, text.data(), text.size()));
    if (!quoted) {
        throw_error(raw_, nullptr, "quote a text");
    }
    return quoted.get();
}

void connection::cancel() const {
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> handle(PQgetCancel(raw_),
                                                                    &PQfreeCancel);
    std::array<char, 256> problem{};
    if (PQcancel(handle.get(), problem.data(), static_cast<int>(problem.size())) == 0) {
        throw error(errc::connection_failed, std::string("cancel: ") + problem.data());
    }
}

bool connection::alive() const noexcept { return PQstatus(raw_) == CONNECTION_OK; }

bool connection::in_transaction() const noexcept {
    const auto state = PQtransactionStatus(raw_);
    return state == PQTRANS_INTRANS || state == PQTRANS_INERROR || state == PQTRANS_ACTIVE;
}

int connection::backend_pid() const noexcept { return PQbackendPID(raw_); }

int connection::server_version() const noexcept { return PQserverVersion(raw_); }

int connection::socket() const noexcept { return PQsocket(raw_); }

void connection::on_notice(notice_sink sink) {
    if (!owned_) {
        throw usage_error("the notices of a borrowed connection belong to its owner");
    }
    *notice_ = std::move(sink);
}

}  // namespace postrider::pg
