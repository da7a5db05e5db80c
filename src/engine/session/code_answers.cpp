#include "session/code_answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "answers/function_code.hpp"
#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include "text/jumps.hpp"
#include "text/profile_facts.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

bool refuse_without_detail(Question& question, const Side& side) {
    if (side.graph().profile().detail() == Detail::full) return false;
    question.refuse({.id = "needs-detail", .message = "the profile was read without lines"});
    return true;
}

void write_file(JsonWriter& json, const Side& side, FileAt at) {
    const auto row = static_cast<std::int64_t>(at.file.value);
    json.member("id", at.is_before ? -1 - row : row);
    json.member("name", side.graph().profile().name(at.file));
}

void write_files_of(JsonWriter& json, const Side& side, FunctionAt function) {
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

void write_problem(JsonWriter& json, std::string_view message, std::string_view hint) {
    if (message.empty()) return;
    json.key("problem");
    json.begin_object();
    json.member("message", message);
    json.member("hint", hint);
    json.end_object();
}

void write_calls(JsonWriter& json, const Side& side, const CalledFunctions& functions, bool is_before) {
    json.key("calls");
    json.begin_array();
    for (const auto& called : by_cost(side.graph(), functions)) {
        json.begin_object();
        write_identity(json, side, called.callee, is_before);
        write_count(json, "count", called.count, "at_least");
        json.key("cost");
        json.begin_array();
        for (const auto cost : called.cost) json.value(cost);
        json.end_array();
        json.member("recursive", called.recursive);
        if (called.counted_again) json.member("counted_again", true);
        json.end_object();
    }
    json.end_array();
}

// --- machine code -----------------------------------------------------------------------------------------

namespace {

constexpr std::size_t max_instructions = 100'000;

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return "0x" + std::string(digits.data(), end.ptr);
}

FunctionCode code_of(const Side& side, FunctionAt function, const Host& host, Syntax syntax) {
    const auto disassemble = [&](std::string_view object, std::span<const AddressRange> ranges) {
        if (host.machine_code)
            return host.machine_code(function.is_before ? Build::before : Build::after, object, ranges,
                                     syntax);
        MachineCode none;
        none.problem = "machine code is not available here, only its cost";
        none.hint = "run callcost view FILE on the machine that has the program";
        return none;
    };
    return {side, function.node, disassemble, max_instructions};
}

/// The listing of a function as it was, and which of its instructions is which.
struct CodeBefore {
    CodeBefore(const View& view, const FunctionCode& after, const Host& host, Syntax syntax) {
        const auto id = view.compared->match_after[after.node().value];
        if (!id.valid()) return;
        const auto& function = view.compared->diff.function(id);
        if (function.is_added()) {
            problem = "the old profile does not have this function";
            return;
        }
        if (function.before.size() != 1 || function.after.size() != 1) {
            problem = "one of several indistinguishable functions";
            return;
        }
        listing.emplace(code_of(*view.before, {function.before[0], true}, host, syntax));
        // One file is not two builds, and a file that was not measured says nothing of what was.
        const bool is_doubtful = listing->code().is_doubtful || after.code().is_doubtful;
        const bool is_one_file =
            !is_doubtful && !after.code().path.empty() && listing->code().path == after.code().path;
        const bool has_texts = !is_doubtful && !is_one_file;
        if (!has_texts) listing->leave_out_code();
        const bool is_too_large = listing->rows().size() > max_instructions;
        if (!is_too_large) match = match_code(listing->lines(has_texts), after.lines(has_texts), is_one_file);
        if (is_matched()) return;
        problem = "instructions cannot be matched: ";
        if (is_too_large) {
            problem += "the function is too large";
        } else if (!after.has_text() && !is_doubtful) {
            problem += "the machine code is not available";
        } else if (!has_texts) {
            problem += "the program is not the one that was measured";
            hint = "keep both builds in separate directories: profiles name the program by path";
        } else {
            problem += "in the old profile, " + listing->code().problem;
            hint = listing->code().hint;
        }
    }

    [[nodiscard]] bool is_matched() const { return match.by != CodeMatch::By::nothing; }
    /// What a row after has cost.
    [[nodiscard]] Cost self(std::size_t row, std::size_t column) const {
        return match.before[row] != CodeMatch::none ? listing->self(match.before[row], column) : Cost();
    }
    struct RemovedRow {
        std::size_t was = 0;  ///< row before
        std::size_t row = 0;  ///< row after: behind the last one that was there before it
    };
    [[nodiscard]] std::vector<RemovedRow> removed() const {
        std::vector<RemovedRow> all;
        std::size_t was = 0, place = 0;
        const auto add_up_to = [&](std::size_t end) {
            for (; was < end; ++was) all.push_back({was, place});
        };
        for (std::size_t row = 0; row < match.before.size(); ++row) {
            if (match.before[row] == CodeMatch::none) continue;
            add_up_to(match.before[row]);
            ++was;
            place = row + 1;
        }
        add_up_to(listing->rows().size());
        return all;
    }

    std::optional<FunctionCode> listing;
    CodeMatch match;
    std::string problem, hint;  ///< if nothing is matched
};

class InstructionsAnswer {
  public:
    InstructionsAnswer(JsonWriter& json, const FunctionCode& listing, const CodeBefore* before,
                       bool is_before)
        : json_(json), listing_(listing), before_(before), is_before_(is_before) {}

    void write() {
        const auto& code = listing_.code();
        json_.member("object", listing_.graph().object(listing_.node()));
        json_.member_if_any("path", code.path);
        json_.member("is_guess", code.is_guess);
        write_problem(json_, code.problem, code.hint);
        write_comparison();
        if (before_ != nullptr && !before_->is_matched()) before_ = nullptr;
        write_rows();
        if (before_ != nullptr) write_removed();
        write_flow();
    }

  private:
    void write_comparison() {
        if (before_ == nullptr) return;
        constexpr std::array<std::string_view, 3> ways = {"", "text", "addresses"};
        json_.key("compared");
        json_.begin_object();
        json_.member_if_any("by", ways[static_cast<std::size_t>(before_->match.by)]);
        write_problem(json_, before_->problem, before_->hint);
        json_.end_object();
    }

    void write_rows() {
        const auto calls = calls_by_row();
        json_.key("rows");
        json_.begin_array();
        const auto& rows = listing_.rows();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            json_.begin_object();
            write_instruction(listing_, row, "address", "self");
            if (before_ != nullptr) write_before(row);
            write_calls(json_, listing_.side(), calls[row], is_before_);
            const auto target_of = [](const JumpSite& site) { return site.target_address; };
            write_jumps(json_, jumps_by_target(rows[row].jumps, target_of),
                        [&](const JumpSite& jump) { json_.member("to", hexadecimal(jump.target_address)); });
            if (listing_.is_gap_before(row)) json_.member("gap", true);
            json_.end_object();
        }
        json_.end_array();
    }

    [[nodiscard]] std::vector<CalledFunctions> calls_by_row() const {
        const auto& side = listing_.side();
        const auto& rows = listing_.rows();
        const auto columns = side.columns.size();
        std::vector<CalledFunctions> calls(rows.size());
        bool are_any = false;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            add_calls(calls[row], side.graph(), rows[row].calls, 0, columns);
            are_any = are_any || !calls[row].empty();
        }
        for (std::size_t column = 1; are_any && column < columns; ++column) {
            const auto others =
                code_listing(instructions(side.graph(), listing_.node(), {&side.columns[column], 1})
                                 .value_or(std::vector<InstructionCost>{}),
                             {});
            std::size_t row = 0;
            for (const auto& other : others) {
                while (row < rows.size() && rows[row].address < other.address) ++row;
                if (row < rows.size() && rows[row].address == other.address)
                    add_calls(calls[row], side.graph(), other.calls, column, columns);
            }
        }
        return calls;
    }

    void write_instruction(const FunctionCode& listing, std::size_t row, std::string_view address,
                           std::string_view self) {
        json_.member(address, hexadecimal(listing.rows()[row].address));
        if (const auto* const instruction = listing.text(row)) {
            json_.member_if_any("bytes", instruction->bytes);
            json_.member("text", instruction->text);
        }
        json_.member("file", listing.file(row));
        json_.member("line", listing.rows()[row].line);
        write_costs(json_, self, listing.side().columns,
                    [&](std::size_t column) { return listing.self(row, column); });
    }

    void write_before(std::size_t row) {
        write_costs(json_, "self_before", before_->listing->side().columns,
                    [&](std::size_t column) { return before_->self(row, column); });
        const auto was = before_->match.before[row];
        if (was != CodeMatch::none)
            json_.member("address_before", hexadecimal(before_->listing->rows()[was].address));
    }

    void write_removed() {
        json_.key("removed");
        json_.begin_array();
        for (const auto& [was, row] : before_->removed()) {
            json_.begin_object();
            json_.member("row", row);
            write_instruction(*before_->listing, was, "address_before", "self_before");
            json_.end_object();
        }
        json_.end_array();
    }

    void write_flow() {
        constexpr std::array<std::string_view, 5> kinds = {"taken", "not_taken", "jump", "next", "indirect"};
        const auto flow = listing_.flow();
        const auto removed = before_ != nullptr ? before_->removed() : std::vector<CodeBefore::RemovedRow>();
        json_.key("blocks");
        json_.begin_array();
        for (const auto& block : flow.blocks) {
            json_.begin_object();
            json_.member("first", block.first);
            json_.member("last", block.last);
            json_.member("executed", is_executed(block));
            write_costs(json_, "self", listing_.side().columns, [&](std::size_t column) {
                return column < block.self.size() ? block.self[column] : Cost();
            });
            if (before_ != nullptr) write_block_before(block, removed);
            json_.end_object();
        }
        json_.end_array();
        json_.key("edges");
        json_.begin_array();
        for (const auto& edge : flow.edges) {
            json_.begin_object();
            json_.member("from", edge.from);
            json_.member("to", edge.to);
            json_.member("kind", kinds[static_cast<std::size_t>(edge.kind)]);
            if (edge.count) json_.member("count", *edge.count);
            json_.end_object();
        }
        json_.end_array();
    }

    [[nodiscard]] bool is_executed(const BasicBlock& block) const {
        for (auto row = block.first; row <= block.last; ++row)
            if (listing_.has_place(row)) return true;
        return false;
    }

    /// Of its instructions, and of those removed that stood behind one of them, or before the first of all.
    void write_block_before(const BasicBlock& block, const std::vector<CodeBefore::RemovedRow>& removed) {
        write_costs(json_, "self_before", before_->listing->side().columns, [&](std::size_t column) {
            Cost sum = 0;
            for (auto row = block.first; row <= block.last; ++row) sum += before_->self(row, column);
            const auto behind = [](const CodeBefore::RemovedRow& of) { return of.row == 0 ? 0 : of.row - 1; };
            auto of = std::partition_point(
                removed.begin(), removed.end(),
                [&](const CodeBefore::RemovedRow& other) { return behind(other) < block.first; });
            for (; of != removed.end() && behind(*of) <= block.last; ++of)
                sum += before_->listing->self(of->was, column);
            return sum;
        });
    }

    JsonWriter& json_;
    const FunctionCode& listing_;
    const CodeBefore* before_;  // null: nothing is compared
    bool is_before_;            // of the old profile
};

}  // namespace

void answer_instructions(Request& request, JsonWriter& json) {
    constexpr std::array<std::string_view, 2> syntaxes = {"att", "intel"};
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto function = request.function("id", *view);
    const auto syntax = question.word("syntax", syntaxes) == 0 ? Syntax::att : Syntax::intel;
    if (!function || question.error()) return;
    const auto& side = function->is_before ? *view->before : view->after;
    if (refuse_without_detail(question, side)) return;
    const FunctionCode listing = code_of(side, *function, request.host, syntax);
    if (listing.rows().size() > max_instructions)
        return question.refuse({.id = "too-large",
                                .message = "the function has more than 100,000 instructions with cost",
                                .member = "id"});
    std::optional<CodeBefore> before;
    if (view->compared && !function->is_before) before.emplace(*view, listing, request.host, syntax);
    json.begin_object();
    InstructionsAnswer(json, listing, before ? &*before : nullptr, function->is_before).write();
    json.end_object();
}

}  // namespace callcost::engine
