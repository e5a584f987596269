#pragma once

#include <atomic>
#include <cstdint>
#include <postrider/transaction.hpp>
#include <random>
#include <string>

namespace postrider::cli::demo {

/// Counters since the start; written by the threads, read by the summary.
struct tally {
    std::atomic<std::int64_t> published = 0;
    std::atomic<std::int64_t> delivered = 0;
};

/// The producer: every order is one transaction that publishes three messages.
class shop {
  public:
    shop(const std::string& database, tally& counts) : session_(database), counts_(counts) {}
    void sell();

  private:
    connection session_;
    tally& counts_;
    std::minstd_rand dice_{std::random_device{}()};
    std::int64_t order_ = 0;
};

}  // namespace postrider::cli::demo
