// The program whose profile is made up: functions, where they are, who calls whom how often, and what it
// costs. The tables were measured on Callgrind's profiles of CPython, of optimised C++ code and of GCC's
// cc1plus.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output.hpp"

namespace generator {

constexpr std::size_t max_events = 13;

// What kind of profile: which columns, and how the lines of a function are spread.
struct Shape {
    bool instr;
    std::vector<std::string> events;
    uint32_t lines_per_16;  // plain lines, for 16 of a profile by instruction
    uint32_t same_line;     // of 256 plain lines, those on the source line of the one before
    uint32_t bytes_per_line, bytes_per_function;  // fitted, to turn a size into a number of functions
};

constexpr Quantiles plain_lines = {1, 3, 4, 6, 8, 10, 13, 17, 21, 26, 32, 41, 52, 70, 102, 172, 600};
constexpr Quantiles block_lines = {1, 2, 2, 3, 4, 5, 5, 6, 7, 9, 10, 12, 15, 19, 26, 42, 110};
constexpr Quantiles callers = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 5, 9, 31};
constexpr Quantiles call_counts = {1, 1, 1, 2, 3, 6, 11, 21, 40, 75, 150, 280, 500, 900, 2200, 9000, 130000};
constexpr Quantiles call_sites = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 14};
constexpr Quantiles name_lengths = {0, 2, 4, 6, 8, 9, 10, 10, 11, 13, 17, 22, 32, 48, 75, 150, 1300};

constexpr std::array<std::string_view, 16> words = {"node",   "update",  "string", "parse",  "map",  "visit",
                                                    "insert", "type",    "get",    "buffer", "make", "find",
                                                    "symbol", "context", "value",  "range"};
constexpr std::array<std::string_view, 8> types = {"int",
                                                   "unsigned long",
                                                   "std::char_traits<char>",
                                                   "char const*",
                                                   "std::pair<std::string const, int>",
                                                   "std::vector<int>",
                                                   "tree_node*",
                                                   "std::allocator<char>"};

struct Function {
    uint32_t lines = 0;  // plain cost lines
    uint32_t object = 0, file = 0, line = 0;
    uint64_t address = 0, entries = 0, inclusive = 0;
};

struct Arc {
    uint32_t caller, callee, count, sites;
    uint64_t inclusive;
};

// The costs of a function's plain lines, one after the other: basic blocks of lines that ran equally often.
class Costs {
  public:
    Costs(const Shape& shape, uint64_t seed, uint32_t function, uint64_t entries)
        : instr_(shape.instr),
          width_(shape.events.size()),
          entries_(entries),
          random_{mix(seed ^ function)} {}

    // False: the same as on the line before.
    bool next() {
        if (left_ == 0) next_block();
        --left_;
        if (instr_) return std::exchange(fresh_, false);
        const uint64_t bits = random_.next();
        values[0] = executed_ * (1 + (bits & bits >> 8 & 7) * (bits >> 16 & 1));  // instructions on the line
        if (width_ > 1) next_cache_line(bits >> 17);
        return true;
    }

    std::array<uint64_t, max_events> values{};

  private:
    void next_block() {
        static constexpr std::array<uint8_t, 16> sixteenths = {16, 16, 16, 16, 16, 15, 12, 8,
                                                               8,  4,  2,  1,  0,  32, 64, 160};
        const uint64_t bits = random_.next();
        left_ = draw(block_lines, bits);
        executed_ = first_ ? entries_ : std::max<uint64_t>(1, entries_ * sixteenths[bits >> 12 & 15] / 16);
        values[0] = executed_;
        fresh_ = true;
        first_ = false;
    }

    // Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim; zeros at the end are not written.
    void next_cache_line(uint64_t bits) {
        static constexpr std::array<uint8_t, 16> widths = {1, 1, 1, 1,  2,  2,  3,  3,
                                                           3, 7, 7, 10, 10, 11, 11, 13};
        const uint32_t width = widths[bits & 15];
        std::fill(values.begin() + 1, values.end(), 0);
        if (width > 1) values[1] = width == 2 || (bits >> 4 & 1) ? executed_ : 0;
        if (width > 2) values[2] = executed_;
        for (uint32_t i = 3; i < 9 && i < width; ++i) values[i] = executed_ * (bits >> (5 + i) & 1) / 64;
        if (width > 6) values[6] = 1 + (bits >> 16 & 1);
        if (width > 9) values[9] = executed_;
        if (width > 10) values[10] = 1 + executed_ / (8 + (bits >> 20 & 63));
        if (width > 11) values[11] = executed_;
        if (width > 12) values[12] = 1 + executed_ / 5;
    }

    bool instr_, first_ = true, fresh_ = true;
    std::size_t width_;
    uint64_t entries_, executed_ = 0, left_ = 0;
    Random random_;
};

// Functions are numbered in the order of their first call: calls lead to higher numbers, except for
// recursion. Files and objects hold the functions in another order.
class Program {
  public:
    Program(Shape a_shape, uint64_t size, uint64_t a_seed)
        : shape(std::move(a_shape)), seed(mix(a_seed)), random_{seed} {
        draw_functions(size);
        place_functions();
        draw_calls();
        sum_costs();
        sort_arcs();
    }

    Shape shape;
    uint64_t seed;
    std::vector<Function> functions;
    std::vector<uint32_t> file_order;  // the functions as they stand in the file
    std::vector<Arc> arcs;
    std::vector<uint32_t> arcs_by_caller,
        first_of_caller;  // a function's arcs in the former begin at the latter
    std::vector<uint64_t> totals;
    uint32_t files = 0;

    // One of eight headers that the file includes.
    uint32_t header_of(uint32_t file, uint64_t choice) const {
        return sources_ + static_cast<uint32_t>((file * 3 + choice % 8) % headers_);
    }

    void append_function_name(std::string& name, uint32_t function) const {
        Random random{mix(seed + 1) ^ function};
        const uint64_t bits = random.next();
        const std::size_t length = draw(name_lengths, bits) + name.size();
        const bool plain = length < 24;
        name.append(plain ? "" : "std::").append(words[bits >> 20 & 15]).append("_");
        if (!plain) {
            name.append(words[bits >> 24 & 15]).append("<");
            while (name.size() + 40 < length) name.append(types[random.next() >> 61]).append(", ");
            name.append(types[bits >> 58 & 7]).append(">::");
        }
        name.append(words[bits >> 16 & 15]).append("_").append(std::to_string(function));
        if (!plain) name.append("(").append(types[bits >> 61]).append(bits >> 28 & 1 ? ") const" : ")");
    }

    void append_file_name(std::string& name, uint32_t file) const {
        if (file >= sources_ + headers_) {
            name.append("???");
            return;
        }
        const std::string_view word = words[mix(file) & 15];
        const bool source = file < sources_;
        name.append(source ? "/usr/src/program-4.2/src/" : "/usr/include/c++/12/bits/")
            .append(word)
            .append("_");
        name.append(std::to_string(file)).append(source ? ".cpp" : ".h");
    }

  private:
    void draw_functions(uint64_t size) {
        const uint64_t longest = 40 + size / 500;
        for (uint64_t planned = 0; planned < size || functions.size() < 2;) {
            const uint64_t bits = random_.next();
            uint64_t lines = 1 + draw(plain_lines, bits) * shape.lines_per_16 / 16;
            if (bits >> 52 == 0) lines *= 24;  // an interpreter's loop, a generated parser
            functions.push_back({.lines = static_cast<uint32_t>(std::min(lines, longest))});
            planned += uint64_t{functions.back().lines} * shape.bytes_per_line + shape.bytes_per_function;
            for (uint64_t n = functions.size(); n > 0; n /= 10) planned += 16;  // longer IDs
        }
    }

    // Functions called for the first time one after the other are near each other, in windows of 64.
    void place_functions() {
        const auto n = static_cast<uint32_t>(functions.size());
        const uint32_t windows = std::max(n / 64, 1U);
        uint32_t step = windows * 5 / 8 | 1;
        while (std::gcd(step, windows) != 1) ++step;
        file_order.resize(n);
        for (uint32_t f = 0; f < n; ++f) {
            const uint64_t window = uint64_t{f / 64} * step % windows;
            file_order[f < n / 64 * 64 ? window * 64 + ((f ^ mix(window)) & 63) : f] = f;
        }
        // Where the objects end, in 64ths. Every other object has no debug information.
        static constexpr std::array<uint8_t, 9> ends = {50, 54, 57, 59, 60, 61, 62, 63, 64};
        sources_ = n / 8 + 1;
        headers_ = n / 48 + 8;
        files = sources_ + headers_ + static_cast<uint32_t>(ends.size());
        uint64_t address = 0x4010;
        for (uint32_t place = 0, object = 0; place < n; ++place) {
            while (uint64_t{place} * 64 >= uint64_t{n} * ends[object]) ++object, address = 0x4010;
            Function& f = functions[file_order[place]];
            const bool has_lines = object % 2 == 0;
            f.object = object;
            f.file = has_lines ? place / 8 : sources_ + headers_ + object;
            f.line = has_lines ? static_cast<uint32_t>(20 + place % 8 * 97 + random_.below(60)) : 0;
            f.address = address;
            address += (f.lines * 5 + 47) / 16 * 16;
        }
    }

    void draw_calls() {
        std::vector<uint32_t> weighted;  // functions in proportion to their lines: long ones call more
        std::vector<uint32_t> found;
        uint64_t weight = 0;
        functions[0].entries = 1;
        for (uint32_t f = 0; f < functions.size(); ++f) {
            uint64_t count = draw(callers, random_.next());
            if (random_.below(1024) == 0) count *= 32;
            if (random_.below(65536) == 0) count *= 2048;
            count = f == 0 ? 0 : std::min<uint64_t>(count, 1 + f / 4);
            found.clear();
            for (uint64_t i = 0; i < count; ++i) {
                const uint64_t bits = random_.next();
                const bool near = (bits & 1023) < 330 && f > 4;
                found.push_back(near ? f - 1 - (bits >> 10 & 3) : weighted[random_.below(weighted.size())]);
            }
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end()), found.end());
            for (const uint32_t caller : found) add_arc(caller, f);
            weight += functions[f].lines;
            weighted.resize(std::max<uint64_t>(weight / 8, 1), f);
        }
        calls_down_ = arcs.size();
        for (std::size_t i = 0; i < calls_down_; ++i) {
            const Arc arc = arcs[i];
            if (i > 0 && arcs[i - 1].callee == arc.callee) continue;  // once per callee
            const uint64_t kind = random_.below(100);
            if (kind == 0) add_arc(arc.callee, arc.callee);                                  // recursion
            if (kind == 1 && arc.callee - arc.caller <= 4) add_arc(arc.callee, arc.caller);  // a small cycle
        }
    }

    void add_arc(uint32_t caller, uint32_t callee) {
        const uint64_t bits = random_.next();
        const auto sites = static_cast<uint32_t>(draw(call_sites, bits >> 12));
        const auto count = std::max(static_cast<uint32_t>(draw(call_counts, bits)), sites);
        arcs.push_back({caller, callee, count, sites, 0});
        functions[callee].entries += count;
    }

    // Self costs first. Then, from the last function to the first, every caller gets its share of the
    // callee's inclusive cost; so the first function ends with the total.
    void sum_costs() {
        totals.assign(shape.events.size(), 0);
        for (uint32_t f = 0; f < functions.size(); ++f) {
            Costs costs(shape, seed, f, functions[f].entries);
            for (uint32_t line = 0; line < functions[f].lines; ++line) {
                costs.next();
                functions[f].inclusive += costs.values[0];
                for (std::size_t e = 0; e < totals.size(); ++e) totals[e] += costs.values[e];
            }
        }
        for (std::size_t end = calls_down_, begin = end; end > 0; end = begin) {
            const uint32_t callee = arcs[end - 1].callee;
            uint64_t calls = 0, rest = functions[callee].inclusive;
            while (begin > 0 && arcs[begin - 1].callee == callee) calls += arcs[--begin].count;
            const uint64_t per_call = rest / calls;
            for (std::size_t i = begin; i < end; ++i) {
                arcs[i].inclusive = i + 1 == end ? rest : per_call * arcs[i].count;
                rest -= arcs[i].inclusive;
                functions[arcs[i].caller].inclusive += arcs[i].inclusive;
            }
        }
        for (std::size_t i = calls_down_; i < arcs.size(); ++i) {
            arcs[i].inclusive = functions[arcs[i].callee].inclusive / 2 + arcs[i].sites;
        }
    }

    void sort_arcs() {
        first_of_caller.assign(functions.size() + 1, 0);
        for (const Arc& arc : arcs) ++first_of_caller[arc.caller + 1];
        std::partial_sum(first_of_caller.begin(), first_of_caller.end(), first_of_caller.begin());
        arcs_by_caller.resize(arcs.size());
        std::vector<uint32_t> next = first_of_caller;
        for (uint32_t i = 0; i < arcs.size(); ++i) arcs_by_caller[next[arcs[i].caller]++] = i;
    }

    Random random_;
    uint32_t sources_ = 0, headers_ = 0;
    std::size_t calls_down_ = 0;  // arcs from here on are recursion
};

}  // namespace generator
