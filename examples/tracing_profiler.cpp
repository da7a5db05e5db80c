// A measurement tool: link it to a program that is compiled with -finstrument-functions, and the program
// counts its calls and writes a profile of them when it ends. Measures time on the first thread.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cxxabi.h>
#include <dlfcn.h>

#include <callcost/writer.hpp>

namespace {

struct Function {
    void* address = nullptr;
    callcost::Cost self = 0;
};
struct Arc {
    std::uint64_t count = 0;
    callcost::Cost inclusive = 0;
    int active = 0;  // activations right now: only the outermost one counts, it has the others in it
};
struct Frame {
    std::size_t function = 0;
    Arc* arc = nullptr;  // nothing called the first one
    std::int64_t entered = 0, in_callees = 0;
};

struct Trace {
    std::thread::id thread = std::this_thread::get_id();
    std::vector<Function> functions;  // in the order of their first calls, which is that of the file
    std::map<void*, std::size_t> rows;
    std::map<std::pair<std::size_t, std::size_t>, Arc> arcs;  // by caller and callee
    std::vector<Frame> frames;
};

thread_local bool is_busy = false;  // what the tool itself calls may be instrumented, too

std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void leave(Trace& trace, std::int64_t time) {
    const Frame frame = trace.frames.back();
    trace.frames.pop_back();
    const std::int64_t inclusive = time - frame.entered;
    trace.functions[frame.function].self += inclusive - frame.in_callees;
    if (frame.arc != nullptr && --frame.arc->active == 0) frame.arc->inclusive += inclusive;
    if (!trace.frames.empty()) trace.frames.back().in_callees += inclusive;
}

void write(const Trace& trace) {
    const char* path = std::getenv("CALLCOST_TRACE");
    std::ofstream out(path != nullptr ? path : "callgrind.out.trace", std::ios::binary);
    callcost::Writer writer([&](std::string_view bytes) -> callcost::Result<void> {
        if (out << bytes) return {};
        return tl::unexpected(callcost::Error{.detail = "cannot write the profile"});
    });
    std::vector<callcost::Writer::Function> written;
    for (const Function& function : trace.functions) {
        Dl_info info{};
        const bool is_known = dladdr(function.address, &info) != 0 && info.dli_sname != nullptr;
        char* name = is_known ? abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, nullptr) : nullptr;
        const auto object =
            info.dli_fname != nullptr ? writer.object(info.dli_fname) : callcost::Writer::Object();
        written.push_back(writer.function(object, {},
                                          name != nullptr ? name
                                          : is_known      ? info.dli_sname
                                                          : "???"));
        std::free(name);
    }
    const callcost::EventType events[] = {{.name = "ns", .long_name = "Nanoseconds"}};
    writer.begin_part({.events = events});
    for (std::size_t row = 0; row < written.size(); ++row) {
        writer.begin_function(written[row]);
        writer.cost({}, {&trace.functions[row].self, 1});
        for (auto arc = trace.arcs.lower_bound({row, 0}); arc != trace.arcs.end() && arc->first.first == row;
             ++arc)
            writer.call({.callee = written[arc->first.second], .count = arc->second.count},
                        {&arc->second.inclusive, 1});
    }
    if (const auto done = writer.finish(); !done) std::cerr << done.error() << '\n';
}

/// Lives until the process ends, so that destructors of the program may still be traced.
Trace& trace() {
    static Trace* const only = [] {
        std::atexit([] {
            is_busy = true;  // from here on nothing counts
            const std::int64_t time = now();
            while (!trace().frames.empty()) leave(trace(), time);  // where exit() was called
            write(trace());
        });
        return new Trace;
    }();
    return *only;
}

void enter(Trace& trace, void* address) {
    const auto [row, is_new] = trace.rows.try_emplace(address, trace.functions.size());
    if (is_new) trace.functions.push_back({.address = address});
    Arc* arc = trace.frames.empty() ? nullptr : &trace.arcs[{trace.frames.back().function, row->second}];
    if (arc != nullptr) ++arc->count, ++arc->active;
    trace.frames.push_back({.function = row->second, .arc = arc, .entered = now()});
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the compiler asks for these names
extern "C" void __cyg_profile_func_enter(void* function, void* /*place*/) {
    if (is_busy) return;
    is_busy = true;
    if (trace().thread == std::this_thread::get_id()) enter(trace(), function);
    is_busy = false;
}

extern "C" void __cyg_profile_func_exit(void* /*function*/, void* /*place*/) {
    if (is_busy) return;
    is_busy = true;
    if (trace().thread == std::this_thread::get_id() && !trace().frames.empty()) leave(trace(), now());
    is_busy = false;
}
// NOLINTEND(readability-identifier-naming)
