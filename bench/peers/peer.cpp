#include "bench/peers/peer.hpp"

#include "bench/engine/classic_queue.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

class postrider_peer : public peer {
  public:
    std::string name() const override { return "postrider"; }
    std::string configuration() const override {
        return "bare exchange() calls of the C++ client; single messages by INSERT, bulk by COPY "
               "of "
               "1,000; no worker attached while publishing";
    }
    void install(const fresh_database& database) const override {
        const bench_worker first(database.connect());  // the consumer exists before its messages
    }
    std::string publish_statement() const override {
        return "insert into postrider.message (event_type, source, payload)"
               " values ('order.placed', 'bench', $1)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        store::copy_messages(session, message_batch(first, count).messages());
    }
};

class postrider_worker_peer : public postrider_peer {
  public:
    std::string name() const override { return "postrider_worker"; }
    std::string configuration() const override {
        return "the C++ worker with a handler that does nothing, 2 threads; attached and consuming "
               "while single messages are published";
    }
    drain_shape drains(int batch) const override { return {batch, 2}; }
    drain_shape best() const override { return {1000, 2}; }
    drain_shape waits() const override { return {1000, 16}; }
    bool publishes_with_consumer() const override { return true; }
};

class classic_peer : public peer {
  public:
    std::string name() const override { return "classic"; }
    std::string configuration() const override {
        return "the outbox table most people write: a status on the row, claimed by UPDATE over "
               "SKIP LOCKED, acknowledged by UPDATE; NOTIFY in each commit only where latency is "
               "measured; bulk by COPY of 1,000";
    }
    void install(const fresh_database& database) const override { make_classic_table(database); }
    std::string publish_statement() const override {
        return "insert into classic.message (event_type, source, payload)"
               " values ('order.placed', 'bench', $1)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        copy_into(session, classic_table, store::copy_rows(message_batch(first, count).messages()));
    }
    std::string wake_statement() const override { return "notify classic"; }
};

}  // namespace

std::vector<std::string> peer::consumer(const std::string& mode, drain_shape shape,
                                        std::int64_t count) const {
    return {std::filesystem::read_symlink("/proc/self/exe").string(),
            "consume",
            name(),
            mode,
            std::to_string(shape.batch),
            std::to_string(shape.connections),
            std::to_string(count)};
}

std::vector<std::unique_ptr<peer>> all_peers(const std::filesystem::path& programs) {
    std::vector<std::unique_ptr<peer>> all;
    all.push_back(make_postrider());
    all.push_back(make_postrider_worker());
    all.push_back(make_pgmq(programs));
    all.push_back(make_graphile_worker(programs));
    all.push_back(make_pg_boss(programs));
    all.push_back(make_pgq());
    all.push_back(make_classic());
    return all;
}

std::string array_literal(const std::vector<std::string>& texts) {
    std::string literal = "{";
    for (const auto& text : texts) {
        literal += literal.size() > 1 ? ",\"" : "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') {
                literal += '\\';
            }
            literal += c;
        }
        literal += '"';
    }
    return literal + "}";
}

std::vector<std::string> payloads(std::int64_t first, int count) {
    std::vector<std::string> made;
    made.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        made.push_back(payload(first + i));
    }
    return made;
}

std::unique_ptr<peer> make_postrider() { return std::make_unique<postrider_peer>(); }
std::unique_ptr<peer> make_postrider_worker() { return std::make_unique<postrider_worker_peer>(); }
std::unique_ptr<peer> make_classic() { return std::make_unique<classic_peer>(); }

}  // namespace postrider::bench
