#include <csignal>

#include "e2e/database_fixture.hpp"
#include "support/eventually.hpp"
#include "support/free_port.hpp"

namespace postrider::test {
namespace {

class metrics_test : public database_fixture {
  protected:
    std::string get(const std::string& path) const {
        return test::run({"bash", "-c",
                          "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(port_) +
                              " && printf 'GET " + path + " HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3"},
                         {})
            .output;
    }

    const int port_ = free_port();
};

TEST_F(metrics_test, a_worker_is_scraped_again_and_again_while_it_runs_children) {
    process worker(program::command({"work", "--consumer", "office", "--on", "*", "--exec", "true",
                                     "--metrics", "127.0.0.1:" + std::to_string(port_)}),
                   postrider_.variables());
    ASSERT_TRUE(eventually([&] { return contains(get("/metrics"), "200 OK"); })) << worker.output();
    for (int i = 0; i < 10; ++i) {
        publish({"a.b"});
        const auto answer = get("/metrics");
        EXPECT_TRUE(contains(answer, "postrider_")) << i << answer;
        EXPECT_TRUE(contains(get("/nothing"), "404")) << i;
    }
    worker.kill(SIGTERM);
    EXPECT_EQ(worker.wait(), 0) << worker.output();
}

}  // namespace
}  // namespace postrider::test
