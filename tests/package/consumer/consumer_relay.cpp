#include <iostream>
#include <postrider/relay.hpp>

int main() {
    for (const auto& scheme : postrider::relay_schemes()) {
        std::cout << scheme << "\n";
    }
}
