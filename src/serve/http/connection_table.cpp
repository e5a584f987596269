#include "serve/http/connection_table.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

namespace postrider::serve {

std::string plain_address(const std::string& address) {
    constexpr std::string_view mapped = "::ffff:";
    const bool four = address.starts_with(mapped) && address.find('.') != std::string::npos;
    return four ? address.substr(mapped.size()) : address;
}

std::string address_group(const std::string& address) {
    constexpr std::size_t prefix_bytes = 8;
    in6_addr six{};
    if (::inet_pton(AF_INET6, address.c_str(), &six) != 1) {
        return address;
    }
    std::memset(static_cast<unsigned char*>(six.s6_addr) + prefix_bytes, 0, prefix_bytes);
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET6, &six, text.data(), text.size());
    return std::string(text.data()) + "/64";
}

bool connection_table::trusted(const std::string& address) const {
    return std::ranges::find(limits_.trusted_proxies, address) != limits_.trusted_proxies.end();
}

template <typename Condition>
int connection_table::count(Condition&& holds) const {
    return static_cast<int>(std::ranges::count_if(
        entries_, [&](const entry& one) { return !one.closed && holds(one); }));
}

template <typename Condition>
bool connection_table::close_longest_waiting(Condition&& holds) {
    entry* longest = nullptr;
    for (auto& one : entries_) {
        if (one.may_be_closed() && !one.closed && holds(one) &&
            (longest == nullptr || one.since < longest->since)) {
            longest = &one;
        }
    }
    if (longest == nullptr) {
        return false;
    }
    close(*longest);
    return true;
}

// A token with a few connections loses none. The age of a request does not protect it: clients can
// keep a connection busy with one short request after the other. Browsers open a live stream again.
template <typename Condition>
bool connection_table::close_of_busiest_token(Condition&& holds) {
    constexpr int few = 4;
    const auto counts = [&](const entry& one) {
        return !one.closed && !one.may_be_closed() && holds(one);
    };
    std::map<std::string_view, int> connections;
    for (const auto& one : entries_) {
        connections[one.token] += counts(one) ? 1 : 0;
    }
    entry* slowest = nullptr;
    for (auto& one : entries_) {
        const auto rank = [&](const entry& of) {
            return std::pair(-connections[of.token], of.busy_since);
        };
        if (counts(one) && connections[one.token] > few &&
            (slowest == nullptr || rank(one) < rank(*slowest))) {
            slowest = &one;
        }
    }
    if (slowest == nullptr) {
        return false;
    }
    close(*slowest);
    return true;
}

// Of the address that has the most of them: one that floods the server closes its own.
template <typename Condition>
bool connection_table::close_fresh(Condition&& fresh) {
    std::map<std::string_view, int> connections;
    for (const auto& one : entries_) {
        connections[one.address] += !one.closed && fresh(one) ? 1 : 0;
    }
    const auto most = std::ranges::max_element(connections, {},
                                               [](const auto& address) { return address.second; });
    return close_longest_waiting(
        [&](const entry& one) { return one.address == most->first && fresh(one); });
}

template <typename Condition>
bool connection_table::close_one(Condition&& holds, int limit) {
    const auto fresh = [&, before = clock::now() - limits_.grace](const entry& one) {
        return holds(one) && one.may_be_closed() && !one.was_answered && one.since > before;
    };
    const auto others = [&](const entry& one) { return holds(one) && !fresh(one); };
    if (2 * count(fresh) >= limit) {
        return close_fresh(fresh);
    }
    return close_longest_waiting(others) || close_of_busiest_token(holds) || close_fresh(fresh);
}

void connection_table::close(entry& one) {
    // Its thread wakes up, gives the seat back and closes the socket.
    one.closed = true;
    ::shutdown(one.socket, SHUT_RDWR);
}

bool connection_table::make_room(const std::string& address) {
    const auto regular = [](const entry& one) { return !one.health_only; };
    const auto neighbour = [&](const entry& one) { return regular(one) && one.address == address; };
    // A closed connection has its thread until a wait for the database is over.
    const auto crowded = [this](auto&& holds, int limit) {
        constexpr int ending = 64;
        return std::ranges::count_if(entries_, holds) >= limit + std::max(limit, ending);
    };
    if (crowded(regular, limits_.total) ||
        (!trusted(address) && crowded(neighbour, limits_.per_address))) {
        return false;
    }
    if (!trusted(address) && count(neighbour) >= limits_.per_address) {
        // Closing one here also reduces the total.
        return close_one(neighbour, limits_.per_address);
    }
    return count(regular) < limits_.total || close_one(regular, limits_.total);
}

std::unique_ptr<connection_table::seat> connection_table::admit(int socket, std::string address) {
    address = plain_address(address);
    if (!trusted(address)) {
        address = address_group(address);
    }
    const std::lock_guard lock(mutex_);
    const bool health_only = !make_room(address);
    if (health_only) {
        const auto spare = [](const entry& one) { return one.health_only; };
        if (count(spare) >= limits_.health && !close_longest_waiting(spare)) {
            return nullptr;
        }
    }
    entries_.push_back({.socket = socket, .address = address, .client = address});
    auto mine = std::prev(entries_.end());
    mine->health_only = health_only;
    try {
        auto made = std::make_unique<seat>(*this, mine);
        made->health_only_ = health_only;
        return made;
    } catch (...) {
        entries_.erase(mine);
        throw;
    }
}

bool connection_table::close_waiting() {
    const std::lock_guard lock(mutex_);
    return close_longest_waiting([](const entry&) { return true; });
}

void connection_table::close_all() {
    const std::lock_guard lock(mutex_);
    std::ranges::for_each(entries_, close);
}

int connection_table::size() const {
    const std::lock_guard lock(mutex_);
    return count([](const entry& one) { return !one.health_only; });
}

connection_table::seat::~seat() {
    const std::lock_guard lock(table_.mutex_);
    table_.entries_.erase(mine_);
}

void connection_table::seat::begin_waiting() {
    const std::lock_guard lock(table_.mutex_);
    mine_->was_answered = mine_->was_answered || !mine_->waiting;
    mine_->waiting = true;
    mine_->streaming = false;
    mine_->since = clock::now();
}

bool connection_table::seat::begin_request() {
    const std::lock_guard lock(table_.mutex_);
    mine_->waiting = false;
    mine_->busy_since = clock::now();
    return !mine_->closed;
}

void connection_table::seat::set_client(std::string_view forwarded_for) {
    const std::lock_guard lock(table_.mutex_);
    mine_->client = mine_->address;
    while (table_.trusted(mine_->client) && !forwarded_for.empty()) {
        const auto comma = forwarded_for.rfind(',');
        auto last = forwarded_for.substr(comma == std::string_view::npos ? 0 : comma + 1);
        forwarded_for.remove_suffix(forwarded_for.size() -
                                    (comma == std::string_view::npos ? 0 : comma));
        last.remove_prefix(std::min(last.find_first_not_of(" \t["), last.size()));
        last = last.substr(0, last.find_first_of(" \t]"));
        if (std::ranges::count(last, ':') == 1) {
            last = last.substr(0, last.find(':'));  // the port of an IPv4 address
        }
        constexpr std::size_t address_max = 45;
        mine_->client = plain_address(std::string(last.substr(0, address_max)));
        if (!table_.trusted(mine_->client)) {
            mine_->client = address_group(mine_->client);
        }
    }
}

connection_table::verdict connection_table::seat::set_token(const std::string& token) {
    const std::lock_guard lock(table_.mutex_);
    mine_->token.clear();
    const auto same = [&](const entry& one) { return one.token == token; };
    // Closed ones too: a request that waits for the database has its thread until then.
    if (std::ranges::count_if(table_.entries_, same) >= table_.limits_.per_token &&
        !table_.close_longest_waiting(same)) {
        return verdict::token_full;
    }
    mine_->token = token;
    return verdict::allowed;
}

connection_table::verdict connection_table::seat::begin_stream() {
    const std::lock_guard lock(table_.mutex_);
    const auto streams = [&](auto&& holds) {
        return table_.count([&](const entry& one) { return one.streaming && holds(one); });
    };
    const auto& limits = table_.limits_;
    if (streams([&](const entry& one) { return one.token == mine_->token; }) >=
        limits.streams_per_token) {
        return verdict::token_full;
    }
    if (streams([&](const entry& one) { return one.client == mine_->client; }) >=
        limits.streams_per_address) {
        return verdict::address_full;
    }
    if (streams([](const entry&) { return true; }) >= limits.streams) {
        return verdict::full;
    }
    mine_->streaming = true;
    return verdict::allowed;
}

}  // namespace postrider::serve
