// Writes profiles of any size for benchmarks and tests; the same arguments give the same bytes on every
// machine.
//
// The kinds instr, line and cache imitate Valgrind 3.19's Callgrind: the mix of line kinds, the steps between
// positions, how long a cost stays the same, names and IDs are as measured on real files. The calls form a
// real graph: inclusive costs of the first event are conserved, call targets are where the callee begins, and
// there are recursions and small cycles. The last four kinds are shapes that made readers quadratic.

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "generator/callgrind_writer.hpp"
#include "generator/output.hpp"
#include "generator/program.hpp"
#include "generator/xdebug_writer.hpp"

namespace generator {
namespace {

const char* const usage =
    "usage: generate_profile SIZE[K|M|G] [--kind=KIND] [--seed N] > FILE\n"
    "\n"
    "SIZE is bytes, about, for the kinds\n"
    "  instr    callgrind --dump-instr=yes --collect-jumps=yes (default)\n"
    "  line     callgrind without options\n"
    "  cache    callgrind --cache-sim=yes --branch-sim=yes: 13 events\n"
    "  xdebug   Xdebug 3: one record per invocation\n"
    "and a number of things for the kinds\n"
    "  wide     one function with SIZE callees\n"
    "  deep     a call chain of SIZE functions\n"
    "  parts    SIZE parts of 20 functions\n"
    "  events   SIZE event types\n"
    "K, M and G are 10^3, 10^6 and 10^9. Standard error gets the figures of what was written, as JSON.\n";

void write_callgrind(std::string_view kind, uint64_t size, uint64_t seed, Output& out, Counts& counts) {
    Shape shape{true, {"Ir"}, 16, 146, 14, 239};
    if (kind == "line") shape = {false, {"Ir"}, 8, 8, 9, 239};
    if (kind == "cache") {
        shape = {false,
                 {"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim"},
                 8,
                 8,
                 24,
                 344};
    }
    const Program program(shape, size, seed);
    CallgrindWriter(program, out, counts).write();
}

// Shapes that made readers quadratic.

void write_head(Output& out, std::string_view events) {
    out.line("# callgrind format\nversion: 1\ncreator: hand-made\ncmd: ./hostile\npositions: line");
    out.line(events);
    out.line("");
}

void write_wide(uint64_t callees, Output& out, Counts& counts) {
    write_head(out, "events: Ir");
    out.line("fl=w.c\nfn=hub\n1 1");
    for (uint64_t i = 1; i <= callees; ++i) {
        Text(out) << "cfn=(" << i << ") leaf_" << i << "\ncalls=1 " << i + 9 << "\n2 " << i % 7 + 1 << "\n";
        counts.inclusive_sum[0] += i % 7 + 1;
    }
    for (uint64_t i = 1; i <= callees; ++i) {
        Text(out) << "\nfn=(" << i << ")\n" << i + 9 << " " << i % 7 + 1 << "\n";
    }
    counts.functions = counts.cost_lines = callees + 1;
    counts.arcs = counts.call_records = counts.call_count = callees;
    counts.self[0] = counts.inclusive_sum[0] + 1;
}

void write_deep(uint64_t depth, Output& out, Counts& counts) {
    write_head(out, "events: Ir");
    out.line("fl=d.c");
    for (uint64_t i = 1; i <= depth; ++i) {
        const uint64_t inclusive = 2 * (depth - i);
        Text(out) << "fn=(" << i << ") f" << i << "\n" << i << " 2\n";
        if (i == depth) break;
        Text(out) << "cfn=(" << i + 1 << ") f" << i + 1 << "\ncalls=1 " << i + 1 << "\n"
                  << i << " " << inclusive << "\n";
        counts.inclusive_sum[0] += inclusive;
    }
    counts.functions = counts.cost_lines = depth;
    counts.arcs = counts.call_records = counts.call_count = depth - 1;
    counts.self[0] = 2 * depth;
}

void write_parts(uint64_t parts, Output& out, Counts& counts) {
    constexpr uint64_t functions = 20;
    out.line("# callgrind format\nversion: 1\ncreator: hand-made\ncmd: ./hostile");
    for (uint64_t part = 1; part <= parts; ++part) {
        const uint64_t cost = part % 5 + 1;
        Text(out) << "\npart: " << part << "\npositions: line\nevents: Ir\nfl=(1) p.c\n";
        for (uint64_t f = 1; f <= functions; ++f) {
            Text(out) << "fn=(" << f << ") f" << f << "\n" << f << " " << cost << "\n";
        }
        Text(out) << "totals: " << functions * cost << "\n";
        counts.self[0] += functions * cost;
    }
    counts.parts = parts;
    counts.functions = functions;
    counts.cost_lines = functions * parts;
}

// Each function has a line with a cost of every event and one with the first event only.
void write_events(uint64_t events, Output& out, Counts& counts) {
    constexpr uint64_t functions = 10;
    std::string names = "events:";
    counts.events.clear();
    for (uint64_t e = 1; e <= events; ++e) {
        names.append(" ").append(counts.events.emplace_back("Event" + std::to_string(e)));
    }
    write_head(out, names);
    counts.self.assign(events, 0);
    counts.inclusive_sum.assign(events, 0);
    out.line("fl=e.c");
    for (uint64_t f = 1; f <= functions; ++f) {
        Text(out) << "fn=f" << f << "\n5 7\n6";
        counts.self[0] += 7;
        for (uint64_t e = 0; e < events; ++e) {
            Text(out) << " " << (e + f) % 13;
            counts.self[e] += (e + f) % 13;
        }
        out.line("");
    }
    counts.functions = functions;
    counts.cost_lines = functions * 2;
}

// False: no such kind.
bool write_profile(std::string_view kind, uint64_t size, uint64_t seed, Output& out, Counts& counts) {
    if (kind == "instr" || kind == "line" || kind == "cache") {
        write_callgrind(kind, size, seed, out, counts);
    } else if (kind == "xdebug") {
        XdebugWriter(size, seed, out, counts).write();
    } else if (kind == "wide") {
        write_wide(size, out, counts);
    } else if (kind == "deep") {
        write_deep(size, out, counts);
    } else if (kind == "parts") {
        write_parts(size, out, counts);
    } else if (kind == "events") {
        write_events(size, out, counts);
    } else {
        return false;
    }
    return true;
}

void print_counts(std::string_view kind, const Counts& counts, const Output& written, Output& out) {
    Text(out) << "{\"kind\": \"" << kind << "\", \"bytes\": " << written.bytes()
              << ", \"lines\": " << written.lines() << ", \"parts\": " << counts.parts
              << ", \"functions\": " << counts.functions << ", \"arcs\": " << counts.arcs
              << ", \"call_records\": " << counts.call_records << ", \"call_count\": " << counts.call_count
              << ", \"cost_lines\": " << counts.cost_lines << ", \"jumps\": " << counts.jumps;
    const auto print_costs = [&](std::string_view name, const std::vector<uint64_t>& costs) {
        Text(out) << ", \"" << name << "\": {";
        for (std::size_t e = 0; e < costs.size(); ++e) {
            Text(out) << std::string_view(e > 0 ? ", \"" : "\"") << counts.events[e] << "\": " << costs[e];
        }
        Text(out) << "}";
    };
    print_costs("self", counts.self);
    print_costs("inclusive_sum", counts.inclusive_sum);
    out.line("}");
    out.flush();
}

// Digits, then nothing, K, M or G.
std::optional<uint64_t> parse_size(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc() || value > 1'000'000'000'000) return std::nullopt;
    if (unit.empty()) return value;
    if (unit == "K") return value * 1'000;
    if (unit == "M") return value * 1'000'000;
    if (unit == "G" && value <= 1'000) return value * 1'000'000'000;
    return std::nullopt;
}

int run(const std::vector<std::string_view>& arguments) {
    std::string_view kind = "instr";
    std::optional<uint64_t> size, seed = 1;
    bool understood = true;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].substr(0, 7) == "--kind=") {
            kind = arguments[i].substr(7);
        } else if (arguments[i] == "--seed" && i + 1 < arguments.size()) {
            seed = parse_size(arguments[++i]);
        } else if (!size) {
            size = parse_size(arguments[i]);
            understood = size && *size > 0;
        } else {
            understood = false;
        }
    }
    Output out(stdout), figures(stderr);
    Counts counts;
    if (!understood || !size || !seed || !write_profile(kind, *size, *seed, out, counts)) {
        figures.line(usage);
        figures.flush();
        return 2;
    }
    out.flush();
    print_counts(kind, counts, out, figures);
    return 0;
}

}  // namespace
}  // namespace generator

int main(int argc, char** argv) { return generator::run({argv + 1, argv + argc}); }
