#include "pg/borrowed.hpp"

#include <libpq-fe.h>

#include <string>

#include "pg/errors.hpp"

namespace postrider::pg {
namespace {

error_detail during(std::string_view operation) { return {.operation = std::string(operation)}; }

void require_utf8(PGconn* raw, std::string_view operation) {
    // SQL_ASCII passes bytes on unchanged.
    const std::string_view encoding = pg_encoding_to_char(PQclientEncoding(raw));
    if (encoding != "UTF8" && encoding != "SQL_ASCII") {
        throw usage_error(std::string(operation) + ": the connection's client_encoding is " +
                              std::string(encoding) +
                              "; messages are UTF-8, so call PQsetClientEncoding(c, \"UTF8\")",
                          during(operation));
    }
}

void require_usable(PGconn* raw, std::string_view operation) {
    const auto name = std::string(operation);
    if (raw == nullptr) {
        throw usage_error(name + ": no connection was given", during(operation));
    }
    if (PQpipelineStatus(raw) != PQ_PIPELINE_OFF) {
        throw usage_error(name +
                              ": the connection is in pipeline mode; leave it first "
                              "(PQexitPipelineMode)",
                          during(operation));
    }
    switch (PQtransactionStatus(raw)) {
        case PQTRANS_IDLE:
        case PQTRANS_INTRANS:
            break;
        case PQTRANS_ACTIVE:
            throw usage_error(name +
                                  ": a statement is still under way on the connection; fetch "
                                  "its results first (PQgetResult)",
                              during(operation));
        case PQTRANS_INERROR: {
            auto detail = during(operation);
            detail.sqlstate = "25P02";
            throw error(errc::database_error,
                        name +
                            ": an earlier statement of the transaction failed; roll it back, or "
                            "to a savepoint, first",
                        std::move(detail));
        }
        case PQTRANS_UNKNOWN:
            throw_error(raw, nullptr, operation);
    }
    require_utf8(raw, operation);
}

}  // namespace

borrowed::borrowed(pg_conn* raw, std::string_view operation) : session_(connection::borrow(raw)) {
    require_usable(raw, operation);
    commits_itself_ = PQtransactionStatus(raw) == PQTRANS_IDLE;
    if (PQisnonblocking(raw) != 0) {
        if (PQsetnonblocking(raw, 0) != 0) {
            throw_error(raw, nullptr, operation);
        }
        was_nonblocking_ = true;
    }
}

borrowed::~borrowed() {
    if (was_nonblocking_) {
        PQsetnonblocking(session_.raw(), 1);
    }
}

}  // namespace postrider::pg
