/// Counts the events of a profile through the event API: the cost of scanning, with nothing kept.
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "callcost/scanner.hpp"

namespace {

struct Counter {
    std::uint64_t parts = 0, headers = 0, functions = 0, costs = 0, calls = 0, jumps = 0;
    std::uint64_t self = 0;  // of the first event type

    void part(const callcost::PartEvent&) { ++parts; }
    void header(const callcost::HeaderEvent&) { ++headers; }
    void function(const callcost::FunctionEvent&) { ++functions; }
    void cost(const callcost::CostEvent& event) {
        ++costs;
        if (!event.costs.empty()) self += static_cast<std::uint64_t>(event.costs[0]);
    }
    void call(const callcost::CallEvent&) { ++calls; }
    void jump(const callcost::JumpEvent&) { ++jumps; }
};

}  // namespace

int main(int argc, char** argv) {
    const int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        std::fprintf(stderr, "usage: count_events FILE\n");
        return 2;
    }
    callcost::Source source;
    source.name = argv[1];
    source.read = [file](std::span<char> to) -> callcost::Result<std::size_t> {
        const ssize_t size = read(file, to.data(), to.size());
        if (size < 0) return tl::unexpected(callcost::Error{});
        return static_cast<std::size_t>(size);
    };
    Counter counter;
    const auto result = callcost::parse(source, counter);
    close(file);
    if (!result) return 1;
    std::printf("lines %ju parts %ju headers %ju functions %ju costs %ju calls %ju jumps %ju self %ju\n",
                static_cast<std::uintmax_t>(result->lines), static_cast<std::uintmax_t>(counter.parts),
                static_cast<std::uintmax_t>(counter.headers), static_cast<std::uintmax_t>(counter.functions),
                static_cast<std::uintmax_t>(counter.costs), static_cast<std::uintmax_t>(counter.calls),
                static_cast<std::uintmax_t>(counter.jumps), static_cast<std::uintmax_t>(counter.self));
    return 0;
}
