#pragma once

#include <string>

#include "pg/connection.hpp"

namespace postrider::test {

/// A database of the run's private PostgreSQL that belongs to one test alone: made here, dropped at
/// the end. The server is the one that the file in POSTRIDER_TEST_ENV describes.
class test_database {
  public:
    enum class contents {
        migrated,         ///< with native claims, if the server can have them
        migrated_in_sql,  ///< as `postrider migrate up` leaves one without postrider.native
        empty
    };

    explicit test_database(contents from = contents::migrated);
    test_database(const test_database&) = delete;
    test_database& operator=(const test_database&) = delete;
    ~test_database();

    const std::string& name() const { return name_; }
    const std::string& conninfo() const { return conninfo_; }
    pg::connection connect() const { return pg::connection(conninfo_); }

  private:
    std::string name_;
    std::string conninfo_;
};

/// How to reach another database of the same server.
std::string test_conninfo(const std::string& database);
/// The path of that server's Unix socket.
std::string test_socket();

}  // namespace postrider::test
