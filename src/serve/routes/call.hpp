#pragma once

#include <httplib.h>

#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_members.hpp"
#include "serve/options.hpp"
#include "serve/page_files.hpp"
#include "store/operate/tokens.hpp"
#include "store/reads/surface.hpp"

namespace postrider::serve {

class services;

/// The role that a route requires, in ascending order.
enum class standing { anyone, viewer, operators, admin };
standing standing_of(std::string_view role);

struct answer {
    std::string body;
    int status = 200;
    std::string type = "application/json";
    bool keep = true;  ///< cacheable by its ETag
    /// Instead of `body`: a file of the page, which costs no memory per connection.
    const page_asset* file = nullptr;
    bool immutable = false;       ///< its content never changes under this path
    std::string set_cookie = {};  ///< value of the header
};

/// A request that passed the gate.
struct call {
    const httplib::Request& request;
    services& with;
    store::token_holder holder = {};
    std::map<std::string, std::string> path_parameters = {};  ///< values of the {name} parts
    std::string token = {};
    /// Empty for a bearer token.
    std::optional<std::chrono::system_clock::time_point> session_until = {};

    /// Empty when absent.
    std::string query(const std::string& name) const;
    bool flag(const std::string& name) const;
    store::page_request page() const;
    store::read_access access() const;
    /// A path parameter that must be a number.
    std::int64_t number(const std::string& name) const;
    /// The body, an object with these members and no others.
    nlohmann::json body(const std::vector<std::string>& members) const;
    /// The same as parts of its text: a large body is not parsed into memory.
    std::vector<json_member> body_members(const std::vector<std::string>& members) const;
    /// The actor is the holder of the token, the reason is in the body.
    store::audit_entry audit(const nlohmann::json& body) const;
    /// The body's filter, narrowed to the holder's workspace.
    store::dead_filter filter(const nlohmann::json& body) const;
    store::dead_filter narrowed(nlohmann::json filter) const;
};

/// A member that must be text, or may be missing.
std::string text_of(const nlohmann::json& body, const std::string& member,
                    const std::string& otherwise = {});

/// The member `expected`: the number of dead letters that a preview has shown.
store::expected_count expected_of(const nlohmann::json& body);

/// One page as JSON.
answer page_answer(const store::listing& page);

struct route {
    std::string method;
    std::string path;  ///< with {names}
    standing needed = standing::viewer;
    std::function<answer(const call&)> run;
    std::vector<std::string> queries = {};  ///< known query parameters
    bool any_workspace = true;              ///< a token of one workspace may use it
    bool small_body = false;                ///< the body has no members
    bool large_body = false;
    bool health = false;  ///< answered even when there are too many connections
    /// Streams the response, instead of `run`.
    std::function<void(const call&, httplib::Response&)> stream = {};
};

/// All routes.
std::vector<route> routes(const serve_options& options);

/// The path parameters if the path matches.
std::optional<std::map<std::string, std::string>> match(const std::string& pattern,
                                                        const std::string& path);

}  // namespace postrider::serve
