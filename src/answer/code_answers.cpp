#include "answer/code_answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "answer/answers.hpp"
#include "answer/function_rows.hpp"
#include "render/jumps.hpp"
#include "render/profile_facts.hpp"

namespace callcost::answer {

bool refuse_without_detail(Question& question, const Side& side) {
    if (side.graph().profile().detail() == Detail::full) return false;
    question.refuse({.id = "needs-detail", .message = "the profile was read without its lines"});
    return true;
}

void write_file(JsonText& json, const Side& side, FileAt at) {
    const auto row = static_cast<std::int64_t>(at.file.value);
    json.member("id", at.is_before ? -1 - row : row);
    json.member("name", side.graph().profile().name(at.file));
}

void write_files_of(JsonText& json, const Side& side, FunctionAt function) {
    const auto own = side.graph().profile().file(side.graph().function(function.node));
    auto files = function_lines(side.graph(), function.node, {&side.columns.front(), 1})
                     .value_or(std::vector<FileLines>{});
    std::stable_sort(files.begin(), files.end(), [&](const FileLines& a, const FileLines& b) {
        return std::pair(a.file != own, b.self[0]) < std::pair(b.file != own, a.self[0]);
    });
    json.key("files");
    json.begin_array();
    for (const auto& file : files) {
        json.begin_object();
        write_file(json, side, {file.file, function.is_before});
        json.member("self", file.self[0]);
        json.end_object();
    }
    json.end_array();
}

void write_problem(JsonText& json, std::string_view message, std::string_view hint) {
    if (message.empty()) return;
    json.key("problem");
    json.begin_object();
    json.member("message", message);
    json.member("hint", hint);
    json.end_object();
}

void add_calls(CalledFunctions& functions, const CallGraph& graph, const std::vector<CallSite>& sites,
               std::size_t column, std::size_t columns) {
    for (const auto& site : sites) {
        auto& called = functions[graph.callee(site.arc)];
        called.cost.resize(columns, 0);
        called.cost[column] = render::add_costs(called.cost[column], site.cost);
        called.recursive = called.recursive || graph.recursive(site.arc);
        if (column == 0) called.count.add(site.count);
    }
}

void write_calls(JsonText& json, const Side& side, const CalledFunctions& functions, bool is_before) {
    const auto& graph = side.graph();
    std::vector<const CalledFunctions::value_type*> sorted;
    sorted.reserve(functions.size());
    for (const auto& called : functions) sorted.push_back(&called);
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) {
        const auto names = [&](NodeId node) {
            return std::tuple(graph.name(node), graph.file(node), graph.object(node));
        };
        const auto cost = a->second.cost.front();
        const auto other = b->second.cost.front();
        return cost != other ? cost > other : names(a->first) < names(b->first);
    });
    json.key("calls");
    json.begin_array();
    for (const auto* called : sorted) {
        json.begin_object();
        write_identity(json, side, called->first, is_before);
        write_count(json, "count", called->second.count, "at_least");
        json.key("cost");
        json.begin_array();
        for (const auto cost : called->second.cost) json.value(cost);
        json.end_array();
        json.member("recursive", called->second.recursive);
        json.end_object();
    }
    json.end_array();
}

// --- machine code -----------------------------------------------------------------------------------------

namespace {

constexpr std::size_t most_instructions = 100'000;

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return "0x" + std::string(digits.data(), end.ptr);
}

/// The bytes of an instruction; 0 if they are not known.
std::uint64_t size_of(const Instruction& instruction) {
    const auto is_digit = [](char c) { return c != ' '; };
    return static_cast<std::uint64_t>(
               std::count_if(instruction.bytes.begin(), instruction.bytes.end(), is_digit)) /
           2;
}

class InstructionsAnswer {
  public:
    InstructionsAnswer(const Side& side, FunctionAt function, const Surroundings& surroundings, Syntax syntax)
        : side_(side), function_(function), measures_(side.columns) {
        if (auto counts = executions(side.graph())) {
            executions_ = measures_.size();
            measures_.push_back(*std::move(counts));
        }
        rows_ = instructions(side.graph(), function.node, measures_).value_or(std::vector<InstructionCost>{});
        const auto ranges = code_ranges(rows_);
        if (ranges.empty()) {
            code_.problem = "the profile has no addresses of this function's instructions";
            code_.hint =
                "record with: valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes PROGRAM";
        } else if (surroundings.machine_code) {
            code_ = surroundings.machine_code(function.is_before ? Build::before : Build::after,
                                              side.graph().object(function.node), ranges, syntax);
        } else {
            code_.problem = "there is no machine code here, only what it costs";
            code_.hint = "callcost view FILE shows it on the machine where the program is";
        }
        std::vector<std::uint64_t> addresses;
        if (rows_.size() + code_.instructions.size() <= most_instructions) {
            for (const auto& instruction : code_.instructions) addresses.push_back(instruction.address);
        } else if (code_.problem.empty()) {
            code_.problem = "there is too much code: only what has cost is shown";
        }
        rows_ = code_listing(std::move(rows_), addresses);
    }

    [[nodiscard]] bool is_too_large() const { return rows_.size() > most_instructions; }

    void write(JsonText& json) {
        json.member("object", side_.graph().object(function_.node));
        json.member_if_any("path", code_.path);
        json.member("is_guess", code_.is_guess);
        write_problem(json, code_.problem, code_.hint);
        const auto calls = calls_by_row();
        json.key("rows");
        json.begin_array();
        auto instruction = code_.instructions.begin();
        std::uint64_t end = 0;  // of the row before; 0: not known
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const auto address = rows_[row].address;
            while (instruction != code_.instructions.end() && instruction->address < address) ++instruction;
            const bool has_text = instruction != code_.instructions.end() && instruction->address == address;
            json.begin_object();
            write_row(json, rows_[row], calls[row], has_text ? &*instruction : nullptr);
            if (row > 0 && is_gap(rows_[row - 1].address, end, address)) json.member("gap", true);
            json.end_object();
            end = has_text && size_of(*instruction) != 0 ? address + size_of(*instruction) : 0;
        }
        json.end_array();
        write_flow(json);
    }

  private:
    static bool is_gap(std::uint64_t before, std::uint64_t end, std::uint64_t address) {
        if (before == 0) return false;
        return end != 0 ? address > end : address - before >= longest_instruction;
    }

    [[nodiscard]] std::vector<CalledFunctions> calls_by_row() const {
        const auto columns = side_.columns.size();
        std::vector<CalledFunctions> calls(rows_.size());
        bool are_any = false;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            add_calls(calls[row], side_.graph(), rows_[row].calls, 0, columns);
            are_any = are_any || !calls[row].empty();
        }
        for (std::size_t column = 1; are_any && column < columns; ++column) {
            const auto others =
                code_listing(instructions(side_.graph(), function_.node, {&side_.columns[column], 1})
                                 .value_or(std::vector<InstructionCost>{}),
                             {});
            std::size_t row = 0;
            for (const auto& other : others) {
                while (row < rows_.size() && rows_[row].address < other.address) ++row;
                if (row < rows_.size() && rows_[row].address == other.address)
                    add_calls(calls[row], side_.graph(), other.calls, column, columns);
            }
        }
        return calls;
    }

    void write_row(JsonText& json, const InstructionCost& row, const CalledFunctions& calls,
                   const Instruction* instruction) const {
        const bool has_place = !row.self.empty();
        json.member("address", hexadecimal(row.address));
        if (instruction != nullptr) {
            json.member_if_any("bytes", instruction->bytes);
            json.member("text", instruction->text);
        }
        json.member("file", has_place ? side_.graph().profile().name(row.file) : std::string_view());
        json.member("line", row.line);
        write_costs(json, "self", side_.columns,
                    [&](std::size_t column) { return has_place ? row.self[column] : 0; });
        write_calls(json, side_, calls, function_.is_before);
        const auto target_of = [](const JumpSite& site) { return site.target_address; };
        write_jumps(json, render::jumps_by_target(row.jumps, target_of),
                    [&](const JumpSite& jump) { json.member("to", hexadecimal(jump.target_address)); });
    }

    void write_flow(JsonText& json) const {
        constexpr std::array<std::string_view, 5> kinds = {"taken", "not_taken", "jump", "next", "indirect"};
        const auto flow = control_flow(rows_, executions_);
        json.key("blocks");
        json.begin_array();
        for (const auto& block : flow.blocks) {
            json.begin_object();
            json.member("first", block.first);
            json.member("last", block.last);
            json.member("executed", is_executed(block));
            write_costs(json, "self", side_.columns, [&](std::size_t column) {
                return column < block.self.size() ? block.self[column] : 0;
            });
            json.end_object();
        }
        json.end_array();
        json.key("edges");
        json.begin_array();
        for (const auto& edge : flow.edges) {
            json.begin_object();
            json.member("from", edge.from);
            json.member("to", edge.to);
            json.member("kind", kinds[static_cast<std::size_t>(edge.kind)]);
            if (edge.count) json.member("count", *edge.count);
            json.end_object();
        }
        json.end_array();
    }

    [[nodiscard]] bool is_executed(const BasicBlock& block) const {
        const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(block.first);
        const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(block.last) + 1;
        return std::any_of(first, end, [](const InstructionCost& row) { return !row.self.empty(); });
    }

    const Side& side_;
    FunctionAt function_;
    std::vector<Measure> measures_;  // the columns, then what counts executions if anything does
    std::optional<std::size_t> executions_;
    MachineCode code_;
    std::vector<InstructionCost> rows_;
};

}  // namespace

void answer_instructions(Asked& asked, JsonText& json) {
    constexpr std::array<std::string_view, 2> syntaxes = {"att", "intel"};
    auto& question = asked.question;
    const auto view = asked.view();
    if (!view) return;
    const auto function = find_function(question, "id", *view);
    const auto syntax = question.word("syntax", syntaxes) == 0 ? Syntax::att : Syntax::intel;
    if (!function || question.refusal()) return;
    const auto& side = function->is_before ? *view->before : view->after;
    if (refuse_without_detail(question, side)) return;
    InstructionsAnswer answer(side, *function, asked.surroundings, syntax);
    if (answer.is_too_large())
        return question.refuse({.id = "too-large",
                                .message = "the function has more than 100,000 instructions with cost",
                                .member = "id"});
    json.begin_object();
    answer.write(json);
    json.end_object();
}

}  // namespace callcost::answer
