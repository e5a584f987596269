#include "serve/routes/routes.hpp"

#include <iterator>

namespace postrider::serve {

std::vector<route> routes(const serve_options& options) {
    std::vector<route> all;
    for (const auto part : {look_routes, message_routes, dead_letter_routes, replay_routes,
                            change_routes, server_routes}) {
        auto some = part(options);
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    }
    return all;
}

}  // namespace postrider::serve
