#include "pg/copy_in.hpp"

#include <libpq-fe.h>

#include <algorithm>

#include "pg/errors.hpp"

namespace postrider::pg {

copy_in::copy_in(connection& session, const std::string& statement) : session_(session) {
    const auto started = session_.begin_copy(statement);
    if (PQresultStatus(started.raw()) != PGRES_COPY_IN) {
        throw usage_error("not a copy from stdin: " + statement);
    }
    open_ = true;
}

copy_in::~copy_in() {
    if (!open_) {
        return;
    }
    try {
        end("abandoned by the client");
    } catch (const std::exception&) {
        // Expected: the COPY was aborted on purpose.
    }
}

void copy_in::write(std::string_view bytes) {
    constexpr std::size_t slice = 1U << 20U;
    while (!bytes.empty()) {
        const auto part = bytes.substr(0, std::min(bytes.size(), slice));
        if (PQputCopyData(session_.raw(), part.data(), static_cast<int>(part.size())) != 1) {
            throw_error(session_.raw(), nullptr, "copy");
        }
        bytes.remove_prefix(part.size());
    }
}

std::int64_t copy_in::finish() { return end(nullptr).affected(); }

result copy_in::end(const char* abort_reason) {
    open_ = false;
    if (PQputCopyEnd(session_.raw(), abort_reason) != 1) {
        throw_error(session_.raw(), nullptr, "copy");
    }
    result outcome(PQgetResult(session_.raw()));
    // The command is complete when libpq returns no further result.
    while (auto* extra = PQgetResult(session_.raw())) {
        PQclear(extra);
    }
    if (PQresultStatus(outcome.raw()) != PGRES_COMMAND_OK) {
        throw_error(session_.raw(), outcome.raw(), "copy");
    }
    return outcome;
}

}  // namespace postrider::pg
