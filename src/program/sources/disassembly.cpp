#include "sources/disassembly.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace callcost::program {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

/// Programs pad what they print by blanks and tabs.
std::string single_blanks(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        if (!is_blank(c)) {
            result += c;
        } else if (!result.ends_with(' ')) {
            result += ' ';
        }
    }
    return result;
}

/// Groups of two digits and more, all even: "48 89 e5", "a9bf7bfd", but not "daa", which is an instruction.
bool are_bytes(std::string_view text) {
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        const std::string_view group = text.substr(0, blank);
        if (group.size() % 2 != 0 || !std::all_of(group.begin(), group.end(), is_hex_digit)) return false;
        text.remove_prefix(std::min(blank + 1, text.size()));
    }
    return true;
}

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 18> digits{'0', 'x'};
    const auto end = std::to_chars(digits.data() + 2, digits.data() + digits.size(), number, 16);
    return {digits.data(), end.ptr};
}

/// "  1139:\t48 89 e5 \tmov    %rsp,%rbp": address, bytes and text, divided by a colon and a tab.
std::optional<engine::Instruction> read_instruction(std::string_view line) {
    line = without_blanks(line);
    engine::Instruction instruction;
    const auto [end, problem] =
        std::from_chars(line.data(), line.data() + line.size(), instruction.address, 16);
    const auto digits = static_cast<std::size_t>(end - line.data());
    if (problem != std::errc() || digits == line.size() || line[digits] != ':') return std::nullopt;
    std::string_view rest = without_blanks(line.substr(digits + 1));
    const std::size_t tab = std::min(rest.find('\t'), rest.size());
    if (const auto bytes = without_blanks(rest.substr(0, tab)); are_bytes(bytes)) {
        instruction.bytes = single_blanks(bytes);
        rest = without_blanks(rest.substr(tab));
    }
    instruction.text = single_blanks(rest);
    if (instruction.text.empty()) return std::nullopt;
    return instruction;
}

}  // namespace

std::uint64_t size_of(const engine::Instruction& instruction) {
    const auto& bytes = instruction.bytes;
    return static_cast<std::uint64_t>(std::count_if(bytes.begin(), bytes.end(), is_hex_digit)) / 2;
}

std::vector<std::string> command_line(const DisassemblyOrder& order) {
    // A last instruction that does not fit would be printed as data.
    const auto& [first, end] = order.range;
    const auto stop = end + std::min(longest_instruction, UINT64_MAX - end);
    std::vector<std::string> words{order.program,
                                   "--disassemble",
                                   "--wide",
                                   "--demangle",
                                   "--disassemble-zeroes",
                                   "--start-address=" + hexadecimal(first),
                                   "--stop-address=" + hexadecimal(stop)};
    if (order.is_intel_syntax) words.insert(words.end(), {"-M", "intel"});
    // A name that begins with '-' would be an option, one that begins with '@' a file of options.
    words.push_back(order.path.starts_with('/') ? order.path : "./" + order.path);
    return words;
}

std::vector<engine::Instruction> read_disassembly(std::string_view text, const AddressRange& range) {
    std::vector<engine::Instruction> instructions;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto instruction = read_instruction(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!instruction || instruction->address < range.first || instruction->address >= range.end) continue;
        if (!instructions.empty() && instruction->address <= instructions.back().address) continue;
        instructions.push_back(*std::move(instruction));
    }
    return instructions;
}

}  // namespace callcost::program
