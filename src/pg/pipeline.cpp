#include "pg/pipeline.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "pg/errors.hpp"

namespace postrider::pg {

pipeline::pipeline(connection& session) : session_(session) {
    // Non-blocking: with blocking sends both sides can wait for each other to read.
    if (PQenterPipelineMode(session_.raw()) != 1 || PQsetnonblocking(session_.raw(), 1) != 0) {
        throw_error(session_.raw(), nullptr, "enter pipeline mode");
    }
}

pipeline::~pipeline() {
    drain();
    PQexitPipelineMode(session_.raw());
    PQsetnonblocking(session_.raw(), 0);
}

void pipeline::drain() noexcept {
    if (sent_.empty() || !session_.alive()) {
        return;
    }
    try {
        if (!sent_.back().is_sync) {
            sync();
        }
        while (!sent_.empty() && session_.alive()) {
            if (sent_.front().is_sync) {
                receive_sync();
                continue;
            }
            try {
                receive();
            } catch (const error&) {
                // The caller does not need this answer any more; the next one may be fine.
            }
        }
    } catch (const std::exception&) {
        // The session is lost; its owner finds out with the next call.
    }
}

void pipeline::send(const char* sql, const params& values, format wanted) {
    const auto arrays = values.view();
    if (PQsendQueryParams(session_.raw(), sql, arrays.count, nullptr, arrays.values, arrays.lengths,
                          arrays.formats, wanted == format::binary ? 1 : 0) != 1) {
        throw_error(session_.raw(), nullptr, sql);
    }
    sent_.push_back({sql, false});
}

void pipeline::send_prepared(const char* name, const params& values, format wanted) {
    const auto arrays = values.view();
    if (PQsendQueryPrepared(session_.raw(), name, arrays.count, arrays.values, arrays.lengths,
                            arrays.formats, wanted == format::binary ? 1 : 0) != 1) {
        throw_error(session_.raw(), nullptr, name);
    }
    sent_.push_back({name, false});
}

void pipeline::sync() {
    if (PQpipelineSync(session_.raw()) != 1) {
        throw_error(session_.raw(), nullptr, "sync");
    }
    sent_.push_back({"sync", true});
    flush();
}

void pipeline::flush() {
    while (true) {
        const int pending = PQflush(session_.raw());
        if (pending < 0) {
            throw_error(session_.raw(), nullptr, "send");
        }
        if (pending == 0) {
            return;
        }
        pollfd source{PQsocket(session_.raw()), POLLIN | POLLOUT, 0};
        if (::poll(&source, 1, -1) < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "poll");
        }
        if ((source.revents & POLLIN) != 0 && PQconsumeInput(session_.raw()) == 0) {
            throw_error(session_.raw(), nullptr, "send");
        }
    }
}

result pipeline::receive() {
    if (sent_.empty() || sent_.front().is_sync) {
        throw usage_error("pipeline: no statement is waiting for its answer here");
    }
    const auto operation = std::exchange(sent_.front().operation, {});
    sent_.pop_front();
    result answer(PQgetResult(session_.raw()));
    if (answer.raw() != nullptr) {
        while (auto* extra = PQgetResult(session_.raw())) {
            PQclear(extra);
        }
    }
    switch (PQresultStatus(answer.raw())) {
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
            return answer;
        case PGRES_PIPELINE_ABORTED:
            throw error(errc::database_error,
                        operation + ": skipped because an earlier statement failed",
                        {.sqlstate = "25P02", .operation = operation});
        default:
            throw_error(session_.raw(), answer.raw(), operation);
    }
}

void pipeline::receive_sync() {
    if (sent_.empty() || !sent_.front().is_sync) {
        throw usage_error("pipeline: answers must be received before their sync");
    }
    sent_.pop_front();
    const result answer(PQgetResult(session_.raw()));
    if (PQresultStatus(answer.raw()) != PGRES_PIPELINE_SYNC) {
        throw_error(session_.raw(), answer.raw(), "sync");
    }
}

}  // namespace postrider::pg
