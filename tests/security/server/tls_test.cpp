// The guarantees of a server with TLS.
#include "serve/serve_fixture.hpp"
#include "support/process.hpp"
#include "support/raw_connection.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {
namespace {

class tls_test : public serve_fixture {
  protected:
    void start_with_tls() {
        const auto key = (place_.path() / "key.pem").string();
        const auto certificate = (place_.path() / "cert.pem").string();
        ASSERT_EQ(run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                       "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
                       "/CN=localhost", "-keyout", key, "-out", certificate})
                      .status,
                  0);
        auto settings = options();
        settings.certificate = certificate;
        settings.private_key = key;
        server_ = std::make_unique<serve::server>(settings);
    }
    /// The result for a client that offers only this.
    std::string handshake(const std::string& offer) const {
        return run({"/bin/sh", "-c",
                    "echo | openssl s_client -connect 127.0.0.1:" +
                        std::to_string(server_->port()) + " " + offer + " 2>&1"})
            .output;
    }
    bool connects(const std::string& offer) const {
        const auto said = handshake(offer);
        return said.find("Cipher is (NONE)") == std::string::npos &&
               said.find("Cipher is ") != std::string::npos;
    }
    const scratch_directory place_;
};

TEST_F(tls_test, only_tls_1_2_and_later_with_authenticated_encryption_is_spoken) {
    start_with_tls();
    EXPECT_TRUE(connects("-tls1_3"));
    EXPECT_TRUE(connects("-tls1_2"));
    EXPECT_TRUE(connects("-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305"));
    EXPECT_FALSE(connects("-tls1_2 -cipher ECDHE-ECDSA-AES256-SHA384"));
    EXPECT_FALSE(connects("-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA"));
    EXPECT_FALSE(connects("-tls1_1 -cipher DEFAULT@SECLEVEL=0"));
    EXPECT_FALSE(connects("-tls1 -cipher DEFAULT@SECLEVEL=0"));
}

TEST_F(tls_test, browsers_are_told_to_come_back_by_tls_only) {
    start_with_tls();
    httplib::SSLClient http("127.0.0.1", server_->port());
    http.enable_server_certificate_verification(false);
    EXPECT_EQ(reply_of(http.Get("/healthz")).header("Strict-Transport-Security"),
              "max-age=31536000");
    // A server in the clear must not say so.
    start();
    EXPECT_EQ(get("/healthz", "").header("Strict-Transport-Security"), "");
}

TEST_F(tls_test, a_request_in_the_clear_is_not_answered) {
    start_with_tls();
    const raw_connection clear(server_->port());
    clear.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    EXPECT_EQ(clear.read_to_end().find("HTTP/1.1 200"), std::string::npos);
}

}  // namespace
}  // namespace postrider::test
