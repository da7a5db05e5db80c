#include "format/name_ids.hpp"

#include "base/numbers.hpp"

namespace callcost {

namespace {

/// Whether the bytes are UTF-8 without overlong forms and surrogates.
bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto at = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
        const unsigned char first = at(i);
        if (first < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                                   : first >= 0xe0 && first < 0xf0 ? 3
                                   : first >= 0xf0 && first < 0xf5 ? 4
                                                                   : 0;
        if (length == 0 || i + length > text.size()) return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((at(i + k) & 0xc0U) != 0x80) return false;
        const unsigned char second = at(i + 1);
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90))
            return false;
        i += length;
    }
    return true;
}

LineView line_of(const NameRef& name, std::string_view text) {
    LineView line;
    line.number = name.line;
    if (name.place == nullptr) return line;
    const auto at = static_cast<std::size_t>(name.place - text.data());
    const std::size_t lf = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = lf == std::string_view::npos ? 0 : lf + 1;
    const std::size_t end = text.find('\n', at);
    line.text = text.substr(begin, (end == std::string_view::npos ? text.size() : end) - begin);
    line.offset = begin;
    return line;
}

}  // namespace

std::uint32_t NameResolver::intern(NameKind kind, std::string_view name, const LineView& line,
                                   const char* place, DiagnosticLog& log) {
    NameTable& table = *tables_[index(kind)];
    const std::size_t before = table.size();
    const std::uint32_t row = table.intern(name.empty() ? std::string_view("???") : name);
    if (table.size() != before && !is_utf8(name)) log.add(DiagnosticId::non_utf8_name, line, place);
    return row;
}

std::uint32_t NameResolver::placeholder(NameKind kind, std::uint64_t id) {
    const std::string name = "(" + std::to_string(id) + ")";
    const std::uint32_t row = tables_[index(kind)]->add(name);
    open_[index(kind)][row] = aliases_.size();
    aliases_.push_back({kind, row, UINT32_MAX});
    return row;
}

std::string NameResolver::expand(std::string_view nested, const LineView& line, DiagnosticLog& log) {
    std::string name;
    std::size_t at = 0;
    while (at < nested.size()) {
        if (nested[at] != '(') {
            name += nested[at++];
            continue;
        }
        const std::size_t close = nested.find(')', at);
        const ParsedNumber number = parse_unsigned(nested.substr(at + 1, close - at - 1));
        const NameId& id = ids_[index(NameKind::function)][number.value];
        if (id.row == UINT32_MAX) {
            log.add(DiagnosticId::undefined_name_id, line, nested.data() + at);
            name += nested.substr(at, close + 1 - at);
        } else {
            name += (*tables_[index(NameKind::function)])[id.row];
        }
        at = close + 1;
        if (name.size() > nested_budget_) return std::string(nested);
    }
    nested_budget_ -= name.size();
    return name;
}

std::uint32_t NameResolver::resolve_slowly(const NameRef& name, std::string_view text, std::uint32_t part,
                                           DiagnosticLog& log) {
    const LineView line = line_of(name, text);
    if (!name.has_id) return intern(name.kind, name.text, line, name.place, log);
    const std::size_t table = index(name.kind);
    if (name.text.empty()) {
        NameId& id = ids_[table][name.id];
        log.add(DiagnosticId::undefined_name_id, line, name.place);
        if (id.row == UINT32_MAX) id.row = placeholder(name.kind, name.id);
        return id.row;
    }
    std::uint32_t row = 0;
    if (name.nested) {
        log.add(DiagnosticId::nested_name_id, line, name.place);
        row = intern(name.kind, expand(name.text, line, log), line, name.place, log);
    } else {
        row = intern(name.kind, name.text, line, name.place, log);
    }
    NameId& id = ids_[table][name.id];
    if (id.row != UINT32_MAX && id.part == UINT32_MAX) {
        log.add(DiagnosticId::late_name_id, line, name.place);
        aliases_[open_[table][id.row]].name = row;
    } else if (id.row != UINT32_MAX && id.row != row) {
        log.add(
            id.part == part ? DiagnosticId::name_id_redefined : DiagnosticId::name_id_redefined_across_parts,
            line, name.place);
    }
    id.row = row;
    id.part = part;
    return row;
}

void NameResolver::clear() {
    for (NameIdTable& table : ids_) table.clear();
    for (auto& open : open_) open.clear();
}

std::vector<NameResolver::Alias> NameResolver::take_aliases() {
    for (Alias& alias : aliases_) {
        NameTable& table = *tables_[index(alias.kind)];
        if (alias.name == UINT32_MAX) alias.name = table.intern(std::string(table[alias.row]));
    }
    return std::move(aliases_);
}

}  // namespace callcost
