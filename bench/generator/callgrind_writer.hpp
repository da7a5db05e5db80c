// Writes a `Program` as Callgrind 3.19 would: positions relative, names compressed, trailing zeros left out.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "name_writer.hpp"
#include "output.hpp"
#include "program.hpp"

namespace generator {

// From one plain line to the next.
constexpr std::array<uint8_t, 64> address_steps = {
    1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 9, 14};
constexpr std::array<signed char, 64> line_steps = {
    1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,   1,   1,   1,  1,  1,
    2,  2,  2,  2,  2,  2,  3,  3,  3,  3,  3,  4,  4,  4,  5,  5,  6,   7,   8,   9,  11, 13,
    17, 22, 31, 48, 83, -1, -1, -1, -1, -1, -2, -2, -3, -4, -5, -7, -10, -14, -22, -57};

class CallgrindWriter {
  public:
    CallgrindWriter(const Program& program, Output& out, Counts& counts)
        : program_(program), out_(out), counts_(counts), instr_(program.shape.instr), names_(program, out) {
        for (int i = -99; i < 100; ++i) {
            const std::string text = i == 0 ? "* " : (i > 0 ? "+" : "") + std::to_string(i) + " ";
            Token& token = relative_[static_cast<unsigned>(i + 99)];
            token.size = text.copy(token.text.data(), token.text.size());
        }
        counts_.functions = program.functions.size();
        counts_.arcs = program.arcs.size();
        counts_.events = program.shape.events;
        counts_.self = program.totals;
        counts_.inclusive_sum.assign(program.totals.size(), 0);
    }

    void write() {
        write_header();
        for (const uint32_t f : program_.file_order) write_function(f);
        write_totals("\ntotals:");
    }

  private:
    static constexpr uint64_t nowhere = uint64_t{1} << 62;

    struct Token {
        std::array<char, 4> text{};
        std::size_t size = 0;
    };
    struct CostText {
        std::array<char, 32> start{};  // all of most
        std::string all;
    };

    void write_header() {
        const bool cache = program_.shape.events.size() > 1;
        out_.line("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 4711");
        out_.line("cmd:  ./program --option input.txt\npart: 1\n\n");
        out_.line(cache ? "desc: I1 cache: 32768 B, 64 B, 8-way associative" : "desc: I1 cache: ");
        out_.line(cache ? "desc: D1 cache: 32768 B, 64 B, 8-way associative" : "desc: D1 cache: ");
        out_.line(cache ? "desc: LL cache: 33554432 B, 64 B, 16-way associative" : "desc: LL cache: ");
        Text(out_) << "\ndesc: Timerange: Basic block 0 - " << program_.totals[0] / 5 << "\n";
        out_.line("desc: Trigger: Program termination\n");
        Text(out_) << "positions:" << std::string_view(instr_ ? " instr" : "") << " line\nevents:";
        for (const std::string& event : program_.shape.events) Text(out_) << " " << event;
        write_totals("\nsummary:");
        out_.line("");
    }

    void write_totals(std::string_view key) {
        Text(out_) << key;
        for (const uint64_t total : program_.totals) Text(out_) << " " << total;
        Text(out_) << "\n";
    }

    void write_function(uint32_t index) {
        const Function& f = program_.functions[index];
        enter(f, index);
        Costs costs(program_.shape, program_.seed, index, f.entries);
        Random random{program_.seed ^ mix(~uint64_t{index})};
        const uint32_t* arc = program_.arcs_by_caller.data() + program_.first_of_caller[index];
        const uint32_t* const arcs_end = program_.arcs_by_caller.data() + program_.first_of_caller[index + 1];
        uint64_t calls_left = 0;
        for (const uint32_t* i = arc; i < arcs_end; ++i) calls_left += program_.arcs[*i].sites;
        uint32_t site = 0;
        bool after_call = false;
        for (uint32_t left = f.lines; left > 0; --left) {
            const uint64_t bits = random.next();
            if (left == f.lines) {
                write_plain(f.address, f.line, costs);
            } else if (after_call && (bits & 255) < 150) {
                write_plain(address_, line_, costs);
            } else {
                if (f.line != 0) change_file(f, bits >> 8);
                write_plain(next_address(f, bits >> 20), f.line != 0 ? next_line(bits >> 36) : 0, costs);
            }
            after_call = false;
            while (calls_left > 0 && (left == 1 || (random.next() & 0xffff) * left < calls_left << 16)) {
                write_call(f, program_.arcs[*arc], site);
                if (++site == program_.arcs[*arc].sites) ++arc, site = 0;
                --calls_left;
                after_call = true;
            }
            if (instr_ && bits >> 56 < 23) write_jump(f, random.next());
        }
        if (file_ != f.file) names_.file("fe=(", f.file);
        counts_.cost_lines += f.lines;
    }

    void enter(const Function& f, uint32_t index) {
        Text(out_) << "\n";
        if (f.object != object_) {
            object_ = f.object;
            function_file_ = ~0U;
            names_.object("ob=(", f.object);
        }
        if (f.file != function_file_) names_.file("fl=(", f.file);
        names_.function("fn=(", index);
        function_file_ = file_ = f.file;
        own_line_ = first_line_ = f.line;
        address_ = line_ = nowhere;  // the first position is absolute
        line_to_go_ = 0;
    }

    // Into code inlined from a header, and back.
    void change_file(const Function& f, uint64_t bits) {
        const uint64_t chance = bits & 255;
        if (file_ != f.file && chance < 52) {
            names_.file("fe=(", file_ = f.file);
            line_to_go_ = own_line_ + (bits >> 8 & 7);
        } else if (chance < 12 || (file_ != f.file && chance < 80)) {
            if (file_ == f.file) own_line_ = line_;
            names_.file("fi=(", file_ = program_.header_of(f.file, bits >> 12));
            line_to_go_ = 30 + (mix(file_) + (bits >> 16 & 7) * 67) % 900;
        }
    }

    uint64_t next_line(uint64_t bits) {
        if (line_to_go_ != 0) return std::exchange(line_to_go_, 0);
        if ((bits & 255) < program_.shape.same_line) return line_;
        const uint64_t line = line_ + static_cast<uint64_t>(std::int64_t{line_steps[bits >> 8 & 63]});
        if (file_ == function_file_ && line > first_line_ + 400) return first_line_ + (bits >> 14 & 127);
        return line - 1 < 1'000'000 ? line : line_;
    }

    uint64_t next_address(const Function& f, uint64_t bits) const {
        const uint64_t address = address_ + address_steps[bits & 63];
        const bool back = (bits >> 6 & 127) == 0 && address > f.address + 99;
        return back ? address - (bits >> 10 & 63) : address;
    }

    void write_plain(uint64_t address, uint64_t line, Costs& costs) {
        if (costs.next()) format(costs.values, cost_text_);
        Text text(out_);
        write_position(text, address, line);
        write(text, cost_text_);
        address_ = address;
        line_ = line;
    }

    void write_call(const Function& f, const Arc& arc, uint32_t site) {
        const Function& callee = program_.functions[arc.callee];
        if (callee.object != f.object) names_.object("cob=(", callee.object);
        if (callee.file != file_) names_.file("cfi=(", callee.file);
        names_.function("cfn=(", arc.callee);
        const bool last = site + 1 == arc.sites;  // the rest of the division
        const uint64_t count = arc.count / arc.sites + (last ? arc.count % arc.sites : 0);
        std::array<uint64_t, max_events> costs{arc.inclusive / arc.sites +
                                               (last ? arc.inclusive % arc.sites : 0)};
        // About the same share of the other events; a bit less, so that no function gets more than there is.
        const double share = static_cast<double>(costs[0]) / static_cast<double>(program_.totals[0]) * 0.9375;
        for (std::size_t e = 0; e < program_.totals.size(); ++e) {
            if (e > 0) costs[e] = static_cast<uint64_t>(share * static_cast<double>(program_.totals[e]));
            counts_.inclusive_sum[e] += costs[e];
        }
        format(costs, call_text_);
        Text text(out_);
        text << "calls=" << count << " ";
        write_position(text, callee.address, callee.line);
        text << "\n";
        write_here(text);
        write(text, call_text_);
        ++counts_.call_records;
        counts_.call_count += count;
    }

    void write_jump(const Function& f, uint64_t bits) {
        if (bits >> 56 < 28 && f.line != 0) names_.file("jfi=(", f.file);
        const uint64_t far = bits & 15;
        uint64_t target = address_ + 2 + (far < 8 ? 99 + (bits >> 4 & 1023) : bits >> 4 & 63);
        if (far > 12) target = address_ - (bits >> 4 & 63);
        uint64_t line =
            line_ + static_cast<uint64_t>(std::int64_t{line_steps[bits >> 16 & 63]}) * (bits >> 22 & 7);
        if (line - 1 >= 1'000'000) line = line_;
        const std::string_view executed(cost_text_.all.data(), cost_text_.all.size() - 1);
        Text text(out_);
        if (bits >> 32 & 3) {
            text << "jcnd=" << executed << "/";
        } else {
            text << "jump=";
        }
        text << executed << " ";
        write_position(text, target, line_ == 0 ? 0 : line);
        text << "\n";
        write_here(text);
        text << "\n";
        ++counts_.jumps;
    }

    void write_position(Text& text, uint64_t address, uint64_t line) const {
        if (instr_) {
            const uint64_t step = address - address_ + 99;
            if (step < relative_.size()) {
                text.copy(relative_[step].text, relative_[step].size);
            } else {
                text << Hex{address} << " ";
            }
        }
        const uint64_t step = line - line_ + 99;
        if (step < relative_.size() && line != 0) {
            text.copy(relative_[step].text, relative_[step].size);
        } else {
            text << line << " ";
        }
    }
    void write_here(Text& text) const {
        if (instr_) text << "* ";
        text << std::string_view(line_ != 0 ? "* " : "0 ");
    }

    void format(const std::array<uint64_t, max_events>& values, CostText& text) const {
        std::size_t width = program_.shape.events.size();
        while (width > 1 && values[width - 1] == 0) --width;
        std::array<char, max_events * 21> buffer;
        char* end = buffer.data();
        for (std::size_t e = 0; e < width; ++e) {
            end = std::to_chars(end, end + 20, values[e]).ptr;
            *end++ = e + 1 < width ? ' ' : '\n';
        }
        text.all.assign(buffer.data(), end);
        text.all.copy(text.start.data(), text.start.size());
    }
    static void write(Text& text, const CostText& costs) {
        if (costs.all.size() <= costs.start.size()) {
            text.copy(costs.start, costs.all.size());
        } else {
            text << costs.all;
        }
    }

    const Program& program_;
    Output& out_;
    Counts& counts_;
    bool instr_;
    NameWriter names_;
    std::array<Token, 199> relative_;  // "-99 " to "+99 "
    uint32_t object_ = ~0U, function_file_ = ~0U, file_ = 0;
    uint64_t address_ = 0, line_ = 0;  // of the last plain line
    uint64_t first_line_ = 0, own_line_ = 0,
             line_to_go_ = 0;  // in the function's file; to take after a change
    CostText cost_text_, call_text_;
};

}  // namespace generator
