// Three servers with a replicated stream, one of which is killed under load: from the log through a
// relay and the cluster to a worker's handler nothing is lost and nothing invented.
#include <nats/nats.h>

#include <array>
#include <mutex>
#include <set>

#include "relay/nats/nats_connection.hpp"
#include "relay/support/broker.hpp"
#include "relay/support/relay_fixture.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class nats_cluster {
  public:
    nats_cluster() {
        std::string routes;
        for (const auto port : ports_) {
            routes += (routes.empty() ? "" : ", ") + route(port);
        }
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            servers_[i] = std::make_unique<nats_server>(
                "server_name: n" + std::to_string(i) + "\ncluster { name: c, listen: \"127.0.0.1:" +
                std::to_string(ports_[i]) + "\", routes: [" + routes + "] }");
            servers_[i]->start();
        }
    }
    std::string url() const {
        return "nats://" + servers_[0]->place() + "," + servers_[1]->place() + "," +
               servers_[2]->place();
    }
    /// Answers of a cluster that elects a leader fail, so this is repeated.
    bool add_stream() const {
        return eventually(
            [&] {
                return with_stream([](jsCtx* at) {
                    jsStreamConfig how;
                    jsStreamConfig_Init(&how);
                    const char* subjects[] = {"orders.>"};
                    how.Name = "S";
                    how.Subjects = subjects;
                    how.SubjectsLen = 1;
                    how.Replicas = 3;
                    return js_AddStream(nullptr, at, &how, nullptr, nullptr) == NATS_OK;
                });
            },
            60s);
    }
    /// Kills the leader of the stream. Returns its number.
    std::size_t kill_leader() {
        std::string leader;
        const bool found = eventually([&] {
            return with_stream([&](jsCtx* at) {
                jsStreamInfo* info = nullptr;
                if (js_GetStreamInfo(&info, at, "S", nullptr, nullptr) != NATS_OK) {
                    return false;
                }
                leader = info->Cluster != nullptr && info->Cluster->Leader != nullptr
                             ? info->Cluster->Leader
                             : "";
                jsStreamInfo_Destroy(info);
                return !leader.empty();
            });
        });
        const std::size_t which = found ? static_cast<std::size_t>(leader.at(1) - '0') : 0;
        servers_[which]->kill();
        return which;
    }
    void start(std::size_t which) { servers_[which]->start(); }

  private:
    static std::string route(int port) {
        return "\"nats://127.0.0.1:" + std::to_string(port) + "\"";
    }
    template <typename Call>
    bool with_stream(Call&& call) const {
        try {
            const auto connection = relaying::connect(
                relaying::nats_settings_of(relaying::parse_relay_url(url()), "", 2s));
            jsCtx* at = nullptr;
            relaying::require_ok(natsConnection_JetStream(&at, connection.get(), nullptr));
            const bool done = call(at);
            jsCtx_Destroy(at);
            return done;
        } catch (const relaying::nats_failure&) {
            return false;
        }
    }

    std::array<int, 3> ports_{free_port(), free_port(), free_port()};
    std::array<std::unique_ptr<nats_server>, 3> servers_;
};

class clustered_nats : public relay_fixture {};

TEST_F(clustered_nats, a_killed_leader_loses_and_invents_nothing_between_log_and_handler) {
    nats_cluster cluster;
    ASSERT_TRUE(cluster.add_stream());
    const auto out =
        relaying({.to = cluster.url(), .destination = "orders.{event_type}", .timeout = 3s}, [] {
            auto how = one_attempt();
            how.max_attempts = 20;
            how.batch_max = 50;
            return how;
        }());
    out->drain();
    std::mutex guard;
    std::set<std::string> handled;
    auto how = options();
    how.source = broker_source({.from = cluster.url(),
                                .stream = "S",
                                .group = "office",
                                .redeliver_after = 5s,
                                .timeout = 3s});
    worker by(how);
    by.on("*", "office.count", [&](const event& e, context&) {
        const std::lock_guard lock(guard);
        handled.insert(e.id());
    });
    const auto count = [&] {
        const std::lock_guard lock(guard);
        return handled.size();
    };
    publish_many(2000);
    out->start();
    by.start();
    ASSERT_TRUE(eventually([&] { return count() > 100; }, 60s));
    const auto killed = cluster.kill_leader();
    publish_many(500);
    EXPECT_TRUE(eventually([&] { return count() > 2000; }, 90s)) << count();
    cluster.start(killed);
    publish_many(500);
    EXPECT_TRUE(eventually([&] { return count() >= 3000; }, 90s)) << count();
    // Messages that the broker handed out twice have deliveries of the other consumer.
    EXPECT_TRUE(becomes("3000",
                        "select count(*) from postrider.outbox"
                        " where consumer = 'out' and status = 'delivered'",
                        60s));
    const std::lock_guard lock(guard);
    EXPECT_EQ(handled, published_ids());
    EXPECT_EQ(value("select count(*) from postrider.dead_letters"), "0");
}

}  // namespace
}  // namespace postrider::test
