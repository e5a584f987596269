#include <iostream>
#include <postrider/postrider.hpp>

// Exits with 0 only when a symbol of the library was linked and answers as documented.
int main() {
    std::cout << "postrider " << postrider::version() << '\n';
    if (postrider::new_id().size() != 36) {
        return 1;
    }
    try {
        throw postrider::usage_error("the consumer made a mistake");
    } catch (const postrider::error& failure) {
        return postrider::describe(failure.code()).sqlstate == "PR001" ? 0 : 1;
    }
}
