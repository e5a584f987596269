#include "store/messages/publish.hpp"

#include <algorithm>
#include <postrider/error.hpp>
#include <postrider/publish.hpp>

#include "client/on_borrowed.hpp"
#include "client/publish/check_message.hpp"
#include "client/publish/outgoing.hpp"
#include "client/sink/sink_scope.hpp"
#include "store/messages/copy_messages.hpp"

namespace postrider {
namespace {

using client::on_borrowed;
using client::outgoing;

// The limit of the database's publish_many(), and a document size far below jsonb's own limit.
constexpr std::size_t chunk_messages_max = 10'000;
constexpr std::size_t chunk_bytes_max = std::size_t{16} << 20U;
// Messages of a COPY that are made into rows at once.
constexpr std::size_t copy_slice = 1000;

/// Reports messages to the sink of this thread, if there is one, after all were published.
class announcement {
  public:
    announcement() : to_(client::publish_sink()) {}

    void remember(const outgoing& sent) {
        if (to_) {
            ids_.insert(ids_.end(), sent.ids().begin(), sent.ids().end());
        }
    }
    void tell(std::span<const message> messages) const {
        outgoing one;
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            one.clear();
            one.add(messages[i], ids_[i]);
            client::report_published(*to_, one[0]);
        }
    }

  private:
    std::shared_ptr<sink> to_;
    std::vector<uuid> ids_;
};

outgoing one_checked(const message& input) {
    client::check_message(input, "publish");
    outgoing one;
    one.add(input);
    return one;
}

std::string announced(const outgoing& sent) {
    if (const auto to = client::publish_sink()) {
        client::report_published(*to, sent[0]);
    }
    return sent.ids()[0].text();
}

void check_all(std::span<const message> messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
        client::check_message(messages[i], "publish_many", i + 1);
    }
}

// The limits of the log apply to the stored size, which is not known here. The server's own error
// text would contain the whole message.
[[noreturn]] void rethrow_copy_error(const error& problem) {
    const std::string_view text = problem.what();
    for (const auto* name : {"payload", "headers", "metadata"}) {
        if (text.find(std::string(name) + "_within_") != std::string_view::npos) {
            throw usage_error(
                errc::too_large,
                "publish_many: " + std::string(name) +
                    " of a message is larger than the log takes once it is stored; store large "
                    "documents elsewhere and publish a reference",
                {.sqlstate = problem.sqlstate(), .operation = "publish_many"});
        }
    }
    throw;
}

template <typename Call>
void in_slices(std::span<const message> messages, const Call& call) {
    outgoing slice;
    for (auto rest = messages; !rest.empty();
         rest = rest.subspan(std::min(copy_slice, rest.size()))) {
        slice.clear();
        for (const auto& one : rest.first(std::min(copy_slice, rest.size()))) {
            slice.add(one);
        }
        call(slice);
    }
}

std::int64_t copy(pg::connection& session, std::span<const message> messages, announcement& news) {
    try {
        store::copy_columns columns;
        in_slices(messages, [&](const outgoing& slice) { columns.include(slice.rows()); });
        store::message_copy all(session, columns);
        in_slices(messages, [&](const outgoing& slice) {
            all.write(slice.rows());
            news.remember(slice);
        });
        return all.finish();
    } catch (const error& problem) {
        rethrow_copy_error(problem);
    }
}

std::size_t bytes_of(const message& input) {
    return input.payload.size() + (input.headers ? input.headers->size() : 0) +
           (input.metadata ? input.metadata->size() : 0);
}

void send_chunks(executor& within, std::span<const message> messages, announcement& news) {
    for (std::size_t i = 0; i < messages.size();) {
        outgoing chunk;
        for (std::size_t bytes = 0;
             i < messages.size() && chunk.rows().size() < chunk_messages_max &&
             bytes < chunk_bytes_max;
             ++i) {
            chunk.add(messages[i]);
            bytes += bytes_of(messages[i]);
        }
        const std::optional<std::string> document = store::messages_json(chunk.rows());
        within.query_value("select postrider.publish_many($1)", {&document, 1});
        news.remember(chunk);
    }
}

}  // namespace

std::string publish(executor& within, const message& input) {
    if (auto* raw = within.native()) {
        return publish(raw, input);
    }
    const auto one = one_checked(input);
    within.query_value(client::publish_statement, client::publish_parameters(one[0]));
    return announced(one);
}

std::string publish(pg_conn* within, const message& input) {
    const auto one = one_checked(input);
    on_borrowed(within, "publish", [&](auto& session) { store::publish(session, one[0]); });
    return announced(one);
}

std::int64_t publish_many(executor& within, std::span<const message> messages) {
    if (auto* raw = within.native()) {
        return publish_many(raw, messages);
    }
    check_all(messages);
    announcement news;
    send_chunks(within, messages, news);
    news.tell(messages);
    return static_cast<std::int64_t>(messages.size());
}

std::int64_t publish_many(pg_conn* within, std::span<const message> messages) {
    check_all(messages);
    if (messages.empty()) {
        return 0;
    }
    announcement news;
    std::int64_t count = 0;
    on_borrowed(within, "publish_many",
                [&](auto& session) { count = copy(session, messages, news); });
    news.tell(messages);
    return count;
}

}  // namespace postrider
