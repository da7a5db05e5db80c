#include "sources/disassembly.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sources/elf_file.hpp"

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

namespace {

struct Place {
    std::string_view file;
    std::uint64_t line = 0;
};

/// "/src/a.cpp:12", which may have " (discriminator 3)" behind it.
std::optional<Place> read_place(std::string_view text) {
    text = text.substr(0, text.find(" (discriminator "));
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    Place place{text.substr(0, colon), 0};
    const auto* const end = text.data() + text.size();
    const auto [last, problem] = std::from_chars(text.data() + colon + 1, end, place.line);
    return problem == std::errc() && last == end ? std::optional(place) : std::nullopt;
}

/// objdump names function and line when they change, and the calls before every instruction.
class PlaceReader {
  public:
    void read(std::string_view line, const AddressRange& range) {
        constexpr std::string_view inlined = "inlined by ";
        if (line.find(":\t") != std::string_view::npos) {
            if (const auto instruction = read_instruction(line)) add(instruction->address, range);
        } else if (line.starts_with(inlined)) {
            line.remove_prefix(inlined.size());
            site_ = read_place(line.substr(0, line.rfind(" (")));
        } else if (line.ends_with("():")) {
            function_ = line.substr(0, line.size() - 3);
        } else if (line.ends_with(">:")) {
            function_ = {};
            place_ = {};
        } else if (const auto place = read_place(line)) {
            place_ = *place;
        }
    }
    PlacedCode take() { return std::move(code_); }

  private:
    void add(std::uint64_t address, const AddressRange& range) {
        const auto site = std::exchange(site_, std::nullopt);
        auto& instructions = code_.instructions;
        if (address < range.first || address >= range.end) return;
        if (!instructions.empty() && address <= instructions.back().address) return;
        instructions.push_back({address, row_of_file(place_.file), place_.line});
        if (site) instructions.back().site = row_of_site(*site);
    }
    std::uint32_t row_of_file(std::string_view file) {
        const auto [found, is_new] = files_.try_emplace(file, static_cast<std::uint32_t>(code_.files.size()));
        if (is_new) code_.files.emplace_back(file);
        return found->second;
    }
    std::uint32_t row_of_site(const Place& site) {
        const auto row = static_cast<std::uint32_t>(code_.sites.size());
        const auto [found, is_new] = sites_.try_emplace({site.file, site.line, function_}, row);
        if (is_new)
            code_.sites.push_back({std::string(site.file), site.line, demangled(std::string(function_))});
        return found->second;
    }

    PlacedCode code_;
    std::map<std::string_view, std::uint32_t> files_;
    std::map<std::tuple<std::string_view, std::uint64_t, std::string_view>, std::uint32_t> sites_;
    std::string_view function_;
    Place place_;
    std::optional<Place> site_;  // of the next instruction
};

}  // namespace

PlacedCode read_places(std::string_view text, const AddressRange& range) {
    PlaceReader reader;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end), range);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.take();
}

std::vector<std::string> command_line(const DisassemblyOrder& order) {
    // A last instruction that does not fit would be printed as data.
    const auto& [first, end] = order.range;
    const auto stop = end + std::min(longest_instruction, UINT64_MAX - end);
    std::vector<std::string> words{order.program,
                                   "--disassemble",
                                   "--wide",
                                   "--disassemble-zeroes",
                                   "--start-address=" + hexadecimal(first),
                                   "--stop-address=" + hexadecimal(stop)};
    if (order.with_places) {
        words.insert(words.end(), {"--line-numbers", "--inlines"});
    } else {
        words.insert(words.begin() + 3, "--demangle");
    }
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
