#include "writer/written_names.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace callcost {
namespace {

constexpr std::string_view unknown = "???";

bool ends_a_line(char c) { return c == '\n' || c == '\r' || c == '\0'; }

/// Appends `text` with what ends a line, or a string in another program, spelt out (W7).
void append_spelt_out(std::string& to, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '\n':
                to += "\\n";
                break;
            case '\r':
                to += "\\r";
                break;
            case '\0':
                to += "\\0";
                break;
            default:
                to += c;
        }
    }
}

/// The number of bytes of the UTF-8 character at the beginning; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    const unsigned second = byte(1);
    const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool is_no_character = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
    return is_overlong || is_no_character ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// A name that is no UTF-8 is Latin-1 (F2).
std::string from_latin1(std::string_view text) {
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            utf8 += c;
        } else {
            utf8 += static_cast<char>(0xc0U | byte >> 6U);
            utf8 += static_cast<char>(0x80U | (byte & 0x3fU));
        }
    }
    return utf8;
}

/// Where names have no numbers, "(31)" would be read as one.
bool looks_like_a_number(std::string_view name) {
    std::size_t end = 1;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    return name.starts_with('(') && end > 1 && end < name.size() && name[end] == ')';
}

}  // namespace

WrittenNames::WrittenNames(FileDialect dialect)
    : has_numbers_(dialect != FileDialect::cachegrind),
      is_utf8_only_(dialect == FileDialect::cachegrind),
      objects_(unknown),
      files_(unknown),
      names_(unknown) {}

std::string_view WrittenNames::spelling(std::string_view name, std::uint64_t& changed) {
    const std::string_view trimmed = trim(name);
    const bool has_line_ends = std::any_of(trimmed.begin(), trimmed.end(), ends_a_line);
    const bool is_recoded = is_utf8_only_ && !is_utf8(trimmed);
    const bool is_spaced = !has_numbers_ && looks_like_a_number(trimmed);
    if (trimmed.size() != name.size() || has_line_ends || is_recoded || is_spaced) ++changed;
    if (trimmed.empty()) return unknown;
    if (!has_line_ends && !is_recoded && !is_spaced) return trimmed;
    scratch_.clear();
    append_spelt_out(scratch_, trimmed);
    if (is_recoded) scratch_ = from_latin1(scratch_);
    if (is_spaced) scratch_.insert(1, " ");
    return scratch_;
}

std::uint32_t WrittenNames::intern(NameTable& table, std::string_view name, std::uint64_t& changed) {
    return table.intern(spelling(name, changed));
}
std::uint32_t WrittenNames::object(std::string_view name, std::uint64_t& changed) {
    return intern(objects_, name, changed);
}
std::uint32_t WrittenNames::file(std::string_view name, std::uint64_t& changed) {
    return intern(files_, name, changed);
}

std::uint32_t WrittenNames::function(std::uint32_t object, std::uint32_t file, std::string_view name,
                                     std::uint64_t& changed) {
    const FunctionRow row{object, file, intern(names_, name, changed)};
    char key[sizeof row];
    std::memcpy(key, &row, sizeof row);
    const std::uint32_t number = identities_.intern({key, sizeof key});
    if (number == functions_.size()) functions_.push_back(row);
    return number;
}

std::string_view WrittenNames::text_of(Kind kind, std::uint32_t row) const {
    switch (kind) {
        case Kind::object:
            return objects_[row];
        case Kind::file:
            return files_[row];
        case Kind::function:
            break;
    }
    return names_[functions_[row].name];
}

void WrittenNames::put(OutputText& text, Kind kind, std::uint32_t row) {
    const auto table = static_cast<std::size_t>(kind);
    const std::string_view name = text_of(kind, row);
    if (!has_numbers_) return text.add(name);
    std::vector<Number>& numbers = numbers_[table];
    if (numbers.size() <= row) numbers.resize(std::max<std::size_t>(row + 1, numbers.size() * 2));
    Number& number = numbers[row];
    if (number.id == 0) number.id = ++used_[table];
    text.add('(');
    text.add_number(number.id);
    text.add(')');
    if (number.part == part_) return;
    number.part = part_;
    text.add(' ');
    text.add(name);
}

void put_spelt_out(OutputText& text, std::string_view value, bool is_utf8_only) {
    std::string line;
    append_spelt_out(line, value);
    text.add(is_utf8_only && !is_utf8(line) ? from_latin1(line) : line);
}

}  // namespace callcost
