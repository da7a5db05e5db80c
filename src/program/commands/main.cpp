#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "terminal/status_line.hpp"
#include "terminal/terminal.hpp"

namespace program = callcost::program;

namespace {

/// So little memory that there is none for an exception: then nothing is thrown, and nothing can be caught.
void end_without_exception() {
    if (std::current_exception()) std::abort();
    program::say_out_of_memory();
    std::_Exit(status(program::Exit::error));
}

/// Before the objects of libraries that are made before main().
[[gnu::constructor(101)]] void prepare_for_little_memory() { std::set_terminate(end_without_exception); }

}  // namespace

int main(int count, char** arguments) {
    const std::span<const char* const> words(arguments, static_cast<std::size_t>(count));
    try {
        const auto run = program::resolve(words.empty() ? "" : words.front(),
                                          words.subspan(std::min<std::size_t>(1, words.size())));
        program::restore_line_on_interrupt();
        return run();
    } catch (const program::UsageError& error) {
        program::open_console({}).say(callcost::Severity::error, error.what(), error.hint());
        return error.exit_status();
    } catch (const std::bad_alloc&) {
        program::say_out_of_memory();
        return status(program::Exit::error);
    }
}
