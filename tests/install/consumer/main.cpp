// A program outside of callcost's own build: it uses what is in the library and what is in the headers.
#include <iostream>
#include <string_view>

#include <callcost/callcost.hpp>

struct CallCounter {
    int calls = 0;
    void call(const callcost::CallEvent& /*unused*/) { ++calls; }
};

int main() {
    constexpr std::string_view text = "events: Ir\nfn=main\n1 40\ncfn=work\ncalls=2 5\n2 60\nfn=work\n5 60\n";
    const auto profile = callcost::read_profile(callcost::from_memory(text));
    const auto graph = callcost::call_graph(*profile);
    const auto list = callcost::functions(*graph, {.by = callcost::SortBy::inclusive});
    CallCounter counter;
    const auto parsed = callcost::parse(callcost::from_memory(text), counter);
    std::cout << callcost::version() << ": " << graph->name(list.rows.front().node) << ' '
              << list.rows.front().inclusive << ", calls " << counter.calls << ", lines " << parsed->lines
              << '\n';
}
