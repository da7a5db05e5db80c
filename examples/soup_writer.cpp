// Writes a profile of two functions, as a measurement tool does.
#include <cstdint>
#include <iostream>
#include <string_view>

#include <callcost/writer.hpp>

int main() {
    const callcost::Sink sink = [](std::string_view bytes) -> callcost::Result<void> {
        if (std::cout << bytes) return {};
        return tl::unexpected(callcost::Error{.detail = "cannot write"});
    };
    callcost::Writer writer(sink, {.creator = "soup-1.0"});
    const auto file = writer.file("soup.c");
    const auto cook = writer.function({}, file, "main"), chop = writer.function({}, file, "chop");

    const callcost::EventType events[] = {{.name = "Ir", .long_name = "Instructions"}};
    const callcost::Cost self[] = {20}, calls[] = {100};
    writer.begin_part({.command = "./soup", .events = events});
    writer.begin_function(cook);
    writer.cost({.line = 10}, self);
    writer.call({.place = {.line = 12}, .callee = chop, .count = 4, .target_line = 30}, calls);
    writer.begin_function(chop);
    writer.cost({.line = 30}, calls);
    const auto done = writer.finish();  // the first error of any step
    if (!done) std::cerr << done.error() << '\n';
    return done ? 0 : 1;
}
