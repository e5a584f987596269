#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::cli {

/// A contract as Markdown: "Returns:", "Raises:" and "Touches:" become list items, aligned lists
/// become preformatted blocks, and `name()` becomes a link if `is_linked` returns true: the page
/// has a section of that name.
std::string contract_markdown(std::string_view contract,
                              const std::function<bool(const std::string&)>& is_linked);

/// The functions to which a contract leaves a definition: "dead_where()'s", "see
/// register_handler()", "as claim_due()", "the errors of publish()", "the tables that
/// end_members() touches".
std::vector<std::string> definitions_used(const std::string& contract);

}  // namespace postrider::cli
