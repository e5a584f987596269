// Brokers behind TLS: certificates are verified, and a refusal has a reason.
#include <postrider/error.hpp>

#include "relay/make_stream.hpp"
#include "relay/support/broker.hpp"
#include "relay/support/relay_fixture.hpp"
#include "relay/support/sample_message.hpp"
#include "support/eventually.hpp"

namespace postrider::test {
namespace {

/// Certificates in a directory of their own.
class certificates {
  public:
    std::string file(const std::string& name) const { return (place_.path() / name).string(); }

    void make_authority(const std::string& name) const {
        openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                 "-nodes", "-days", "1", "-subj", "/CN=" + name, "-keyout", file(name + ".key"),
                 "-out", file(name + ".pem")});
    }
    /// server.pem and server.key.
    void make_server(const std::string& authority, const std::string& alternative_name) const {
        openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-subj", "/CN=server", "-addext", "subjectAltName=" + alternative_name, "-keyout",
                 file("server.key"), "-out", file("server.csr")});
        openssl({"x509", "-req", "-in", file("server.csr"), "-copy_extensions", "copy", "-CA",
                 file(authority + ".pem"), "-CAkey", file(authority + ".key"), "-CAcreateserial",
                 "-days", "1", "-out", file("server.pem")});
    }

  private:
    static void openssl(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "openssl");
        const auto done = run(arguments);
        if (done.status != 0) {
            throw std::runtime_error("openssl: " + done.output);
        }
    }
    const scratch_directory place_;
};

class nats_tls : public ::testing::Test {
  protected:
    void start(const std::string& alternative_name) {
        files.make_authority("ours");
        files.make_authority("other");
        files.make_server("ours", alternative_name);
        server =
            std::make_unique<nats_server>("tls { cert_file: \"" + files.file("server.pem") +
                                          "\", key_file: \"" + files.file("server.key") + "\" }");
        server->start();
    }
    std::string url(const std::string& authority) const {
        return "tls://" + server->place() + "?ca_file=" + files.file(authority + ".pem");
    }
    outcome publish_to(const std::string& to) const {
        const auto target =
            relaying::nats_target(relaying::parse_relay_url(to),
                                  {.destination = "orders", .timeout = std::chrono::seconds(5)});
        return target->open()->publish(sample_message("orders").only(), {}).front();
    }
    const certificates files;
    std::unique_ptr<nats_server> server;
};

TEST_F(nats_tls, a_relay_and_a_source_work_over_tls) {
    start("IP:127.0.0.1");
    const source_options from{.from = url("ours"), .stream = "S", .group = "office"};
    relaying::make_stream(from, "orders");
    const auto how = publish_to(url("ours"));
    EXPECT_TRUE(how.ok()) << how.error;
    const auto reader = broker_source(from);
    std::vector<received_message> found;
    EXPECT_TRUE(eventually([&] {
        found = reader->fetch(1, std::chrono::milliseconds(100));
        return !found.empty();
    }));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].event_type, "orders");
}

TEST_F(nats_tls, a_certificate_of_another_authority_is_refused) {
    start("IP:127.0.0.1");
    for (const auto& to : {url("other"), "tls://" + server->place()}) {
        const auto how = publish_to(to);
        EXPECT_EQ(how.error_class, "relay_unavailable");
        EXPECT_NE(how.error.find("unable to get local issuer certificate"), std::string::npos)
            << how.error;
    }
    const auto reader = broker_source({.from = url("other"), .stream = "S", .group = "office"});
    try {
        reader->fetch(1, std::chrono::milliseconds(100));
        FAIL() << "the source accepts the certificate";
    } catch (const std::exception& problem) {
        EXPECT_NE(std::string(problem.what()).find("unable to get local issuer certificate"),
                  std::string::npos)
            << problem.what();
    }
}

TEST_F(nats_tls, a_certificate_of_another_host_is_refused) {
    start("DNS:elsewhere.example");
    const auto how = publish_to(url("ours"));
    EXPECT_EQ(how.error_class, "relay_unavailable");
    EXPECT_NE(how.error.find("IP address mismatch"), std::string::npos) << how.error;
}

std::string refusal_of(const std::string& to) {
    try {
        relaying::nats_target(relaying::parse_relay_url(to), {.destination = "orders"});
    } catch (const usage_error& problem) {
        return problem.what();
    }
    return "";
}

TEST(nats_address, a_parameter_that_cannot_work_is_refused_at_the_start) {
    EXPECT_NE(refusal_of("tls://host?ca_file=/nowhere/ca.pem").find("cannot be read"),
              std::string::npos);
    EXPECT_NE(refusal_of("tls://host?insecure=true").find("has no parameter insecure"),
              std::string::npos);
    EXPECT_NE(refusal_of("nats://host?ca_file=/etc/hostname").find("has no parameter ca_file"),
              std::string::npos);
}

// hiredis of Debian 12 has no TLS, and a connection in the clear must not stand in for it.
TEST(redis_tls, is_refused_with_the_reason) {
    for (const auto& attempt : std::vector<std::function<void()>>{
             [] {
                 worker by({.database = "postgresql:///none", .consumer = "out"});
                 relay(by, "*", "out.relay", {.to = "rediss://host", .destination = "orders"});
             },
             [] {
                 broker_source({.from = "rediss://host", .stream = "orders", .group = "office"});
             }}) {
        try {
            attempt();
            ADD_FAILURE() << "accepted";
        } catch (const usage_error& problem) {
            EXPECT_NE(std::string(problem.what()).find("built without a hiredis with TLS"),
                      std::string::npos)
                << problem.what();
        }
    }
}

}  // namespace
}  // namespace postrider::test
