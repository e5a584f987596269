#pragma once

#include <vector>

#include "serve/routes/call.hpp"

namespace postrider::serve {

// Parts of routes().
std::vector<route> look_routes(const serve_options& options);
std::vector<route> message_routes(const serve_options& options);
std::vector<route> dead_letter_routes(const serve_options& options);
std::vector<route> replay_routes(const serve_options& options);
std::vector<route> change_routes(const serve_options& options);
std::vector<route> server_routes(const serve_options& options);

}  // namespace postrider::serve
