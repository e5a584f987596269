#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <postrider/migrate.hpp>
#include <postrider/postrider.hpp>
#include <string>

#include "embedded/server.hpp"
#include "pg/connection.hpp"
#include "support/scratch_directory.hpp"
#include "worker/observer.hpp"

namespace postrider::test {

/// A private server that a test may damage, with a consumer whose handler records its effects.
class own_server : public testing::Test {
  protected:
    explicit own_server(bool fsync)
        : server({.data_dir = place.path() / "server", .fsync = fsync}) {}
    void TearDown() override {
        server.stop_anyway();
        if (HasFailure()) {
            std::cerr << watching->said();
        }
    }
    /// Of the server, once it runs.
    void prepare() const {
        migrate_up({.database = server.conninfo()});
        pg::connection session(server.conninfo());
        session.exec("create table public.effect (key text)");
        session.exec("select postrider.create_consumer('office')");
    }
    worker_options options() const {
        worker_options made;
        made.database = server.conninfo();
        made.consumer = "office";
        made.concurrency = 4;
        made.heartbeat_timeout = std::chrono::seconds(2);
        made.sink = watching;
        return made;
    }
    static worker& add_handler(worker& to) {
        to.on("book.a", "office.book", [](const event& e, transaction& tx) {
            tx.exec("insert into effect values ($1)", e.id());
        });
        return to;
    }
    static void publish(pg::connection& session, int count) {
        session.exec("select postrider.publish('book.a') from generate_series(1, " +
                     std::to_string(count) + ")");
    }
    std::string value(const std::string& sql) const {
        pg::connection session(server.conninfo());
        return std::string(session.exec(sql).text(0, 0));
    }

    scratch_directory place;
    embedded::server server;
    std::shared_ptr<observer> watching = std::make_shared<observer>();
};

}  // namespace postrider::test
