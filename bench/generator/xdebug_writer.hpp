// Writes a profile in the style of Xdebug 3: a walk through a call tree with one record per invocation,
// callees before their callers, and one `calls=` per call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output.hpp"
#include "program.hpp"

namespace generator {

class XdebugWriter {
  public:
    XdebugWriter(uint64_t size, uint64_t seed, Output& out, Counts& counts)
        : size_(size),
          random_{mix(seed)},
          out_(out),
          counts_(counts),
          function_ids_(std::min<uint64_t>(400 + size / 100'000, 8000)),
          file_ids_(function_ids_.size() / 8 + 2),
          called_(function_ids_.size() * choices) {}

    void write() {
        out_.line(
            "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.7)\ncmd: /var/www/app/public/index.php\npart: 1");
        out_.line("positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n");
        counts_.events = {"Time_(10ns)", "Memory_(bytes)"};
        counts_.self = counts_.inclusive_sum = {0, 0};
        stack_.emplace_back().calls_left = ~0U;  // {main}
        while (!stack_.empty()) {
            Invocation& top = stack_.back();
            if (stack_.size() == 1 && out_.bytes() >= size_) top.calls_left = 0;
            if (top.calls_left == 0) {
                end_invocation();
            } else {
                --top.calls_left;
                begin_invocation();
            }
        }
        Text(out_) << "\nsummary: " << counts_.self[0] << " " << counts_.self[1] << "\n\n";
    }

  private:
    struct Call {
        uint64_t function, choice, line, time, memory;
    };
    struct Invocation {
        uint64_t function = 0, choice = 0, line = 3;
        uint32_t calls_left = 0;
        std::vector<Call> calls;
    };
    static constexpr uint64_t choices = 32;  // of callees that a function has at most

    static bool is_internal(uint64_t function) { return function % 4 == 1; }

    void begin_invocation() {
        static constexpr Quantiles calls_near_main = {0, 1,  1,  2,  2,  3,  4,  5, 6,
                                                      8, 10, 12, 15, 19, 25, 40, 90};
        static constexpr std::array<uint8_t, 16> calls_below = {0, 0, 0, 0, 0, 0, 0, 0,
                                                                0, 0, 1, 2, 2, 2, 2, 3};
        const uint64_t bits = random_.next(), caller = stack_.back().function,
                       last = function_ids_.size() - 1;
        Invocation invocation;
        invocation.choice = bits >> 16 & (caller == 0 ? choices - 1 : 3);
        const uint64_t near = caller == 0 ? last / 40 : 7, far = caller == 0 ? 0 : mix(caller) % (last / 8);
        const bool recursion = caller != 0 && (bits >> 24 & 63) == 0;
        invocation.function =
            recursion ? caller : std::min(caller + 1 + far + near * invocation.choice, last);
        if (invocation.function == caller) invocation.choice = choices - 1;
        if (invocation.function == last) invocation.choice = choices - 2;
        invocation.line = 3 + (mix(invocation.function) & 127);
        invocation.calls_left =
            stack_.size() < 4 ? static_cast<uint32_t>(draw(calls_near_main, bits)) : calls_below[bits & 15];
        if (is_internal(invocation.function) || invocation.function == last) invocation.calls_left = 0;
        stack_.push_back(std::move(invocation));
    }

    void end_invocation() {
        static constexpr Quantiles times = {3, 5, 7, 8, 8, 9, 9, 9, 10, 10, 11, 13, 19, 50, 120, 700, 40000};
        const Invocation done = std::move(stack_.back());
        stack_.pop_back();
        const uint64_t bits = random_.next(), memory = (bits >> 12 & 15) != 0 ? 0 : (bits >> 16 & 31) * 8;
        Call call{done.function, done.choice, done.line + 1 + (bits >> 24 & 7), draw(times, bits), memory};
        write_names("fl=", "fn=", done.function);
        write_costs(done.line, call.time, call.memory, counts_.self);
        ++counts_.cost_lines;
        for (const Call& inner : done.calls) {
            write_names("cfl=", "cfn=", inner.function);
            out_.line("calls=1 0 0");
            write_costs(inner.line, inner.time, inner.memory, counts_.inclusive_sum);
            call.time += inner.time;
            call.memory += inner.memory;
            ++counts_.call_records;
            ++counts_.call_count;
        }
        out_.line("");
        if (stack_.empty()) return;
        const uint64_t arc = stack_.back().function * choices + done.choice;
        if (!called_[arc]) ++counts_.arcs;
        called_[arc] = true;
        stack_.back().calls.push_back(call);
    }

    void write_costs(uint64_t line, uint64_t time, uint64_t memory, std::vector<uint64_t>& sums) {
        Text(out_) << line << " " << time << " " << memory << "\n";
        sums[0] += time;
        sums[1] += memory;
    }

    void write_names(std::string_view file_key, std::string_view function_key, uint64_t f) {
        const bool internal = is_internal(f);
        const uint64_t file = internal ? 0 : 1 + f / 8;
        const std::string_view word = words[mix(f) & 15];
        Text text(out_);
        if (write_id(text << file_key, file_ids_[file], files_)) {
            if (internal) text << " php:internal";
            if (!internal) text << " /var/www/app/src/Module/File_" << file << ".php";
        }
        text << "\n";
        if (write_id(text << function_key, function_ids_[f], counts_.functions)) {
            if (f == 0) text << " {main}";
            if (f != 0 && internal) text << " php::" << word << "_" << f;
            if (f != 0 && !internal) text << " App\\Module\\Class_" << file << "->" << word << "_" << f;
        }
        text << "\n";
    }

    // IDs count up in the order of their first use. True: this is the first use.
    static bool write_id(Text& text, uint64_t& id, uint64_t& last_id) {
        const bool is_new = id == 0;
        if (is_new) id = ++last_id;
        text << "(" << id << ")";
        return is_new;
    }

    uint64_t size_, files_ = 0;
    Random random_;
    Output& out_;
    Counts& counts_;
    std::vector<uint64_t> function_ids_, file_ids_;
    std::vector<bool> called_;  // by caller and choice
    std::vector<Invocation> stack_;
};

}  // namespace generator
