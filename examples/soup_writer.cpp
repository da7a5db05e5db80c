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
    const std::int64_t self[] = {20}, calls[] = {100};
    (void)writer.begin_part({.command = "./soup", .events = events});
    (void)writer.begin_function(cook);
    (void)writer.cost({.line = 10}, self);
    (void)writer.call({.place = {.line = 12}, .callee = chop, .count = 4, .target_line = 30}, calls);
    (void)writer.begin_function(chop);
    (void)writer.cost({.line = 30}, calls);
    return writer.finish() ? 0 : 1;  // the first error of the sink is that of all further steps
}
