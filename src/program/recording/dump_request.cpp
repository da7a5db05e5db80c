#include "recording/dump_request.hpp"

#include <chrono>
#include <string>

#include "sources/program.hpp"

namespace callcost::program {

void request_dump(pid_t process) {
    constexpr std::chrono::seconds patience(10);
    // Part of Valgrind; whether it is there and succeeds is seen by the file.
    (void)run_program({"vgdb", "--pid=" + std::to_string(process), "dump"}, {.most_time = patience});
}

}  // namespace callcost::program
