#include "relay/kafka/passed_records.hpp"

#include <gtest/gtest.h>

namespace postrider::test {
namespace {

using relaying::batch_search;
using relaying::passed_records;

TEST(batch_search, the_end_of_a_batch_is_found) {
    for (const std::int64_t records : {1, 2, 3, 7, 64, 1000, 123'456}) {
        for (const std::int64_t behind : {0, 1, 5, 100'000}) {
            const std::int64_t first = 40;
            batch_search search(first, first + records + behind);
            int probes = 0;
            for (; !search.done(); ++probes) {
                ASSERT_GT(search.probe(), first);
                search.probed(search.probe() < first + records);
            }
            EXPECT_EQ(search.end(), first + records) << records << " records, " << behind;
            EXPECT_LE(probes, 40);
        }
    }
}

TEST(batch_search, a_single_record_takes_one_fetch) {
    batch_search search(7, 1'000'000);
    EXPECT_EQ(search.probe(), 8);
    search.probed(false);
    EXPECT_TRUE(search.done());
    EXPECT_EQ(search.end(), 8);
}

TEST(passed_records, a_notice_names_earlier_ones_again_because_it_may_replace_one) {
    passed_records all;
    EXPECT_EQ(all.notice("orders"), "");
    all.add(3, 17, 17, "more than 64 MB");
    all.add(0, 5, 9, "cannot be decompressed");
    EXPECT_EQ(all.notice("orders"),
              "topic orders: records were passed over and stay in the topic, 2 times so far: "
              "partition 3 offset 17 (more than 64 MB), "
              "partition 0 offset 5 to 9 (cannot be decompressed)");
    EXPECT_EQ(all.notice("orders"), "");
    all.add(0, 10, 12, "cannot be decompressed");
    all.add(0, 13, 13, "more than 64 MB");
    EXPECT_EQ(all.notice("orders"),
              "topic orders: records were passed over and stay in the topic, 4 times so far: "
              "partition 3 offset 17 (more than 64 MB), "
              "partition 0 offset 5 to 12 (cannot be decompressed), "
              "partition 0 offset 13 (more than 64 MB)");
}

TEST(passed_records, a_notice_names_the_last_ones) {
    passed_records all;
    for (int i = 0; i < 30; ++i) {
        all.add(i, i, i, "why");
    }
    const auto text = all.notice("orders");
    EXPECT_NE(text.find("30 times so far, the last ones: partition 10 offset 10 (why)"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("offset 9 "), std::string::npos);
}

}  // namespace
}  // namespace postrider::test
