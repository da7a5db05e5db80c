#include "sources/disassembler.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <system_error>

#include "sources/object_file.hpp"

namespace callcost::program {

namespace {

constexpr std::uint64_t max_of_function = 1U << 20U;  // bytes: a larger one is not shown whole
constexpr std::size_t max_objects = 64;               // what is known of more is forgotten
constexpr std::size_t max_inlined = 256;              // functions: likewise

std::string hexadecimal_text(std::uint64_t number) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return "0x" + std::string(digits.data(), end.ptr);
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

bool is_instruction(const std::vector<engine::Instruction>& instructions, std::uint64_t address) {
    const auto found = std::lower_bound(instructions.begin(), instructions.end(), address,
                                        [](const engine::Instruction& instruction, std::uint64_t wanted) {
                                            return instruction.address < wanted;
                                        });
    return found != instructions.end() && found->address == address;
}

/// The addresses of the file for those of the profile.
AddressRange in_file(const AddressRange& range, std::uint64_t offset) {
    return {range.first - std::min(range.first, offset), range.end - std::min(range.end, offset)};
}

/// The code of all functions of a name, in the file.
std::vector<AddressRange> functions_in(const ElfFile& file, std::string_view name) {
    std::vector<AddressRange> found;
    for (const FunctionSymbol& symbol : file.functions) {
        if (symbol.end <= symbol.first) continue;
        if (symbol.name != name && demangled(symbol.name) != name) continue;
        const AddressRange range{symbol.first, symbol.end};
        if (std::find(found.begin(), found.end(), range) == found.end()) found.push_back(range);
    }
    return found;
}

/// What knows the processor of an object; nothing if it is no usual one.
std::string package_hint(const ElfFile& file) {
    std::string package(tool_prefix(file));
    if (package.empty()) return "apt-get install binutils-multiarch";
    std::replace(package.begin(), package.end(), '_', '-');
    return "apt-get install binutils-" + package + " (or binutils-multiarch)";
}

}  // namespace

engine::MachineCode Disassembler::machine_code(std::string_view object_name,
                                               std::span<const AddressRange> ranges, engine::Syntax syntax) {
    engine::MachineCode code;
    const auto with = [&](Problem problem) {
        code.problem = std::move(problem.message);
        code.hint = std::move(problem.hint);
        code.is_doubtful = problem.is_doubt;
        return std::move(code);
    };
    if (ranges.empty())
        return with({"the profile has no instruction addresses for this function",
                     "'callcost record PROGRAM' records them"});
    const Object& object = object_called(object_name);
    code.path = object.path;
    code.is_guess = object.is_guess;
    if (object.problem) return with(*object.problem);

    auto pieces = whole_functions(object, ranges);
    std::optional<Problem> problem;
    if (pieces.size() > options_.max_ranges) {
        problem = {"only the first " + std::to_string(options_.max_ranges) + " of " +
                       std::to_string(pieces.size()) + " code ranges of this function are shown",
                   {}};
        pieces.resize(options_.max_ranges);
    }
    deadline_ = std::chrono::steady_clock::now() + options_.limits.max_time;
    for (const AddressRange& piece : pieces) {
        auto found = instructions_of(object, piece, syntax);
        if (found) {
            code.instructions.insert(code.instructions.end(), std::move_iterator(found->begin()),
                                     std::move_iterator(found->end()));
            continue;
        }
        const bool is_stop = found.error().is_stop;
        if (!problem || is_stop) problem = std::move(found.error());
        if (is_stop) break;
    }
    for (engine::Instruction& instruction : code.instructions) instruction.address += object.load.offset;
    if (!problem) problem = doubt(object, ranges, code.instructions);
    return problem ? with(*std::move(problem)) : std::move(code);
}

engine::InlinedCode Disassembler::inlined_code(std::string_view object_name, std::string_view function,
                                               std::span<const AddressRange> ranges) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> code_of_key;
    for (const AddressRange& range : ranges) code_of_key.emplace_back(range.first, range.end);
    InlinedKey key{object_name, function, std::move(code_of_key)};
    if (const auto known = inlined_.find(key); known != inlined_.end()) return known->second;
    const Object& object = object_called(object_name);
    engine::InlinedCode code;
    std::optional<Problem> problem = object.problem;
    std::vector<engine::Instruction> instructions;
    std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> lines;
    auto pieces =
        ranges.empty() && object.elf ? functions_in(*object.elf, function) : whole_functions(object, ranges);
    if (pieces.size() > options_.max_ranges) pieces.resize(options_.max_ranges);
    deadline_ = std::chrono::steady_clock::now() + options_.limits.max_time;
    for (const AddressRange& piece : pieces) {
        if (problem) break;
        auto found = listing(object, {.range = piece, .with_places = true});
        if (!found) {
            problem = std::move(found.error());
            break;
        }
        const auto placed = read_places(found->text, piece);
        const auto sites = static_cast<std::uint32_t>(code.sites.size());
        code.sites.insert(code.sites.end(), placed.sites.begin(), placed.sites.end());
        code.runs.push_back({piece.first + object.load.offset});
        for (const auto& [address, file, line, row] : placed.instructions) {
            const auto site = row == engine::InlinedCode::none ? row : sites + row;
            if (site != code.runs.back().site) code.runs.push_back({address + object.load.offset, site});
            const auto [of_line, is_new] = lines.try_emplace({placed.files[file], line}, site);
            if (!is_new && of_line->second != site) of_line->second = engine::InlinedCode::none;
        }
        code.runs.push_back({piece.end + object.load.offset});
        for (auto& instruction : found->instructions) {
            instruction.address += object.load.offset;
            instructions.push_back(std::move(instruction));
        }
    }
    const bool is_passing = problem && problem->is_passing;
    if (!problem) problem = doubt(object, ranges, instructions);
    if (problem && (problem->is_doubt || instructions.empty()))
        code = {.problem = std::move(problem->message), .hint = std::move(problem->hint)};
    for (auto& [line, site] : lines)
        if (ranges.empty() && code.problem.empty()) code.lines.push_back({line.first, line.second, site});
    if (is_passing) return code;
    if (inlined_.size() >= max_inlined) inlined_.clear();
    return inlined_.emplace(std::move(key), std::move(code)).first->second;
}

void Disassembler::read_ahead(std::string_view object_name,
                              std::span<const std::vector<AddressRange>> functions, engine::Syntax syntax) {
    const Object& object = object_called(object_name);
    if (object.problem || !object.elf) return;
    // Where a symbol is, a disassembler begins anew, wherever it comes from.
    std::vector<AddressRange> pieces;
    for (const auto& ranges : functions)
        for (const AddressRange& piece : whole_functions(object, ranges))
            if (object.elf->begins_function(piece.first - 1, piece.first)) pieces.push_back(piece);
    if (pieces.size() < 2) return;
    AddressRange all = pieces.front();
    for (const AddressRange& piece : pieces)
        all = {std::min(all.first, piece.first), std::max(all.end, piece.end)};
    deadline_ = std::chrono::steady_clock::now() + options_.limits.max_time;
    const auto found = disassemble(object, all, syntax);
    if (!found) return;
    const auto is_before = [](const engine::Instruction& one, std::uint64_t address) {
        return one.address < address;
    };
    for (const AddressRange& piece : pieces) {
        const auto first = std::lower_bound(found->begin(), found->end(), piece.first, is_before);
        if (first == found->end() || first->address != piece.first) continue;
        const auto end = std::lower_bound(first, found->end(), piece.end, is_before);
        Key key{object.path, object.modified.value_or(FileTime{}), piece.first, piece.end, syntax};
        if (!index_.contains(key)) remember(std::move(key), std::vector<engine::Instruction>(first, end));
    }
}

const Disassembler::Object& Disassembler::object_called(std::string_view name) {
    const auto known = objects_.find(name);
    if (known != objects_.end()) return known->second;
    if (objects_.size() == max_objects) objects_.clear();
    return objects_.emplace(name, find_object(name)).first->second;
}

Disassembler::Object Disassembler::find_object(std::string_view name) {
    Object object;
    auto found = find_object_file(finder_, options_.system_root, name);
    if (!found) {
        object.problem = {std::move(found.error().message), std::move(found.error().hint)};
        return object;
    }
    object.path = found->path;
    object.is_guess = found->is_guess;
    object.modified = modification_time(object.path);
    object.elf = read_elf(object.path);
    if (!object.elf) return object;
    if (!object.elf->has_code) {
        object.problem = {in_quotes(object.path) + " has debug information only, no code",
                          "give the directory of the program or library itself with -I DIR"};
    } else if (options_.known_functions) {
        object.load = load_offset(*object.elf, options_.known_functions(name));
    }
    return object;
}

std::vector<AddressRange> Disassembler::whole_functions(const Object& object,
                                                        std::span<const AddressRange> ranges) const {
    std::vector<AddressRange> wide;
    for (const AddressRange& range : ranges) {
        AddressRange piece = in_file(range, object.load.offset);
        if (piece.first >= piece.end) continue;
        for (const auto address : {piece.first, piece.end - 1}) {
            const FunctionSymbol* const symbol = object.elf ? object.elf->function_at(address) : nullptr;
            if (symbol == nullptr || symbol->end - symbol->first > max_of_function) continue;
            piece = {std::min(piece.first, symbol->first), std::max(piece.end, symbol->end)};
        }
        const auto continues = [&](const AddressRange& before) {
            if (piece.first <= before.end) return true;
            return piece.first - before.end <= options_.max_apart &&
                   !(object.elf && object.elf->begins_function(before.end - 1, piece.first));
        };
        if (!wide.empty() && continues(wide.back())) {
            wide.back().end = std::max(wide.back().end, piece.end);
        } else {
            wide.push_back(piece);
        }
    }
    return wide;
}

Disassembler::Found Disassembler::instructions_of(const Object& object, const AddressRange& range,
                                                  engine::Syntax syntax) {
    Key key{object.path, object.modified.value_or(FileTime{}), range.first, range.end, syntax};
    if (const auto known = index_.find(key); known != index_.end()) {
        remembered_.splice(remembered_.begin(), remembered_, known->second);
        return known->second->found;
    }
    auto found = disassemble(object, range, syntax);
    if (found || !found.error().is_passing) remember(std::move(key), found);
    return found;
}

void Disassembler::remember(Key key, Found found) {
    std::size_t bytes = sizeof(CacheEntry);
    if (found) {
        for (const engine::Instruction& instruction : *found)
            bytes += sizeof(engine::Instruction) + instruction.bytes.capacity() + instruction.text.capacity();
    }
    while (!remembered_.empty() && bytes_ + bytes > options_.max_remembered) {
        bytes_ -= remembered_.back().bytes;
        index_.erase(remembered_.back().key);
        remembered_.pop_back();
    }
    bytes_ += bytes;
    remembered_.push_front({std::move(key), std::move(found), bytes});
    index_.emplace(remembered_.front().key, remembered_.begin());
}

std::vector<std::string> Disassembler::programs_for(const Object& object) const {
    if (!options_.program.empty()) return {options_.program};
    std::vector<std::string> programs{"objdump", "llvm-objdump"};
    const auto prefix = object.elf ? tool_prefix(*object.elf) : std::string_view();
    if (!prefix.empty()) programs.insert(programs.begin() + 1, std::string(prefix) + "-objdump");
    return programs;
}

Disassembler::Problem Disassembler::stopped(const std::string& program, const ProgramLimits& limits) const {
    // With little time left, others have taken it.
    const bool had_time = limits.max_time * 2 > options_.limits.max_time;
    const bool is_wanted = !limits.is_wanted || limits.is_wanted();
    return {.message = in_quotes(program) + " took too long or printed too much",
            .is_stop = true,
            .is_passing = !had_time || !is_wanted};
}

Disassembler::Found Disassembler::disassemble(const Object& object, const AddressRange& range,
                                              engine::Syntax syntax) const {
    const bool knows_syntaxes = object.elf && (tool_prefix(*object.elf) == "x86_64-linux-gnu" ||
                                               tool_prefix(*object.elf) == "i686-linux-gnu");
    auto found = listing(
        object, {.range = range, .is_intel_syntax = syntax == engine::Syntax::intel && knows_syntaxes});
    if (!found) return tl::unexpected(std::move(found.error()));
    return std::move(found->instructions);
}

tl::expected<Disassembler::Listing, Disassembler::Problem> Disassembler::listing(
    const Object& object, DisassemblyOrder order) const {
    std::optional<Problem> problem;
    order.path = object.path;
    for (const std::string& program : programs_for(object)) {
        auto limits = options_.limits;
        limits.max_time =
            std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
        order.program = program;
        auto output = run_program(command_line(order), limits);
        if (!output) {
            if (output.error() != ENOENT || !options_.program.empty())
                problem = {.message = in_quotes(program) +
                                      " cannot be run: " + std::generic_category().message(output.error()),
                           .is_passing = true};
            continue;
        }
        if (output->was_stopped) return tl::unexpected(stopped(program, limits));
        auto instructions = read_disassembly(output->text, order.range);
        if (!instructions.empty()) return Listing{std::move(output->text), std::move(instructions)};
        if (problem) continue;
        if (output->has_failed) {
            problem = {in_quotes(program) + " cannot read " + in_quotes(object.path) + ": " +
                           first_line(output->errors),
                       object.elf ? package_hint(*object.elf) : std::string()};
        } else {
            problem = {"there is no code at " + hexadecimal_text(order.range.first) + " in " +
                           in_quotes(object.path),
                       {}};
        }
    }
    if (!problem)
        return tl::unexpected(Problem{
            .message = "objdump is not installed", .hint = "apt-get install binutils", .is_passing = true});
    return tl::unexpected(*std::move(problem));
}

std::optional<Disassembler::Problem> Disassembler::doubt(
    const Object& object, std::span<const AddressRange> ranges,
    const std::vector<engine::Instruction>& instructions) const {
    const bool is_newer =
        object.modified && options_.profile_time && *object.modified > *options_.profile_time;
    const std::string changed = in_quotes(object.path) + " was changed after the profile was written";
    const std::string other =
        is_newer ? changed : in_quotes(object.path) + " is not the file that was measured";
    const std::string advice =
        "profile the program again, or give the directory of the measured file with -I DIR";
    std::size_t wrong = 0;
    std::size_t looked_at = 0;
    for (const AddressRange& range : ranges) {
        for (const auto address : {range.first, range.end - 1}) {
            ++looked_at;
            if (!is_instruction(instructions, address)) ++wrong;
        }
    }
    const auto doubt = [&](const std::string& message) {
        return Problem{.message = message, .hint = advice, .is_doubt = true};
    };
    if (wrong > 0) {
        return doubt(other + ": " + std::to_string(wrong) + " of " + std::to_string(looked_at) +
                     " checked addresses with cost are not instruction addresses");
    }
    if (object.load.agreeing == 0 && object.load.contradicting > 0)
        return doubt(other + ": its function addresses differ from those in the profile");
    if (is_newer) return doubt(changed + ": the instructions may differ from those measured");
    if (object.load.offset != 0) {
        return Problem{"the profile's addresses are " + hexadecimal_text(object.load.offset) +
                           " above those of the file, which the operands of the instructions show",
                       {}};
    }
    return std::nullopt;
}

}  // namespace callcost::program
