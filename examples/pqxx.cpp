// Publishing within a libpqxx transaction: the program keeps its own connection and error handling.
//
//   pqxx [database]      missing values come from the PG* variables
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <postrider/adapters/nlohmann.hpp>
#include <postrider/adapters/pqxx.hpp>
#include <postrider/postrider.hpp>
#include <pqxx/pqxx>

namespace shop {

struct user_created {
    int user_id;
    std::string email;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(user_created, user_id, email)

}  // namespace shop

int main(int argc, char** argv) try {
    pqxx::connection database(argc > 1 ? argv[1] : "");
    pqxx::work work(database);
    work.exec("create table if not exists users (id int primary key, email text)");
    work.exec_params("insert into users values ($1, $2)", 42, "ada@example.org");

    postrider::pqxx_executor within(work);
    const auto id = postrider::publish(
        within, {.event_type = "user.created",
                 .payload = postrider::encode(shop::user_created{42, "ada@example.org"}),
                 .source = "accounts"});

    work.commit();  // the user and the message, or neither
    std::cout << "published " << id << '\n';
    return EXIT_SUCCESS;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
}
