#include "parser/name_ids.hpp"

#include <algorithm>
#include <cstring>

#include "base/numbers.hpp"

namespace callcost {

namespace {

/// Real ones are some kilobytes long at most.
constexpr std::size_t longest_nested_name = std::size_t{4} << 20U;

/// Whether the bytes are UTF-8 without overlong forms and surrogates.
bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        if (text.size() - i >= 8) {  // mostly eight bytes of ASCII
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, text.data() + i, sizeof bytes);
            if ((bytes & 0x8080808080808080U) == 0) {
                i += 8;
                continue;
            }
        }
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

bool NameIdTable::set(std::uint64_t id, std::uint32_t row, std::uint32_t part) {
    if (id >= paged_ids) {
        Other& other = others_[id];
        const bool again = other.row != none && other.part == part;
        other = {row, part};
        return again;
    }
    const auto number = static_cast<std::size_t>(id >> page_bits);
    if (number >= pages_.size()) pages_.resize(number + 1);
    if (pages_[number] == nullptr) {
        pages_[number] = std::make_unique<Page>();
        used_.push_back(number);
    }
    Page& page = *pages_[number];
    if (page.part != part) {
        page.set.reset();
        page.part = part;
    }
    const std::size_t at = id & (page_size - 1);
    const bool again = page.set[at];
    page.set[at] = true;
    page.rows[at] = row;
    return again;
}

void NameIdTable::clear() {
    for (const std::size_t page : used_) pages_[page].reset();
    used_.clear();
    others_ = Others();  // clear() takes time by the largest size there ever was
}

std::uint32_t NameResolver::intern(const NameRef& name, std::string_view spelled, std::uint32_t hash,
                                   std::string_view text, DiagnosticLog& log) {
    if (spelled.empty()) return 0;  // F34: the unknown name
    NameTable& table = *tables_[index(name.kind)];
    const std::size_t before = table.size();
    const std::uint32_t row = table.intern(spelled, hash);
    if (table.size() == before) return row;
    if (!is_utf8(spelled)) log.add(DiagnosticId::non_utf8_name, line_of(name, text), name.place);
    return row;
}

std::uint32_t NameResolver::placeholder(NameKind kind, std::uint64_t id) {
    std::string name = std::to_string(id);
    name.insert(name.begin(), '(');
    name.push_back(')');
    const std::uint32_t row = tables_[index(kind)]->add(name);
    open_[index(kind)][row] = aliases_.size();
    aliases_.push_back({kind, row, UINT32_MAX});
    return row;
}

/// The name meant, or nothing if it is too long to be kept.
std::optional<std::string> NameResolver::expand(std::string_view nested, const LineView& line,
                                                DiagnosticLog& log) {
    std::vector<std::string_view> pieces;
    std::size_t size = 0;
    for (std::size_t at = 0; at < nested.size();) {
        const char last = nested[at] == '(' ? ')' : '(';
        const std::size_t to = std::min(nested.find(last, at), nested.size());
        std::string_view piece = nested.substr(at, to - at);
        at = to;
        if (last == ')') {
            ++at;
            const std::uint32_t row =
                ids_[index(NameKind::function)].find(parse_unsigned(piece.substr(1)).value);
            if (row == NameIdTable::none) {
                log.add(DiagnosticId::undefined_name_id, line, piece.data());
                piece = {piece.data(), piece.size() + 1};
            } else {
                piece = (*tables_[index(NameKind::function)])[row];
            }
        }
        pieces.push_back(piece);
        size += piece.size();
    }
    if (size > longest_nested_name || size > nested_budget_) return std::nullopt;
    nested_budget_ -= size;
    std::string name;
    name.reserve(size);
    for (const std::string_view piece : pieces) name += piece;
    return name;
}

void NameResolver::resolve(std::span<const NameRef> names, std::uint32_t* rows, std::string_view text,
                           std::uint32_t part, DiagnosticLog& log) {
    // The tables are larger than any cache: all look-ups are begun before the first one is needed.
    hashes_.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const NameRef& name = names[i];
        if (name.has_id) ids_[index(name.kind)].prefetch(name.id);
        if (name.text.empty()) continue;
        if (name.has_id) ids_[index(name.kind)].prefetch_for_set(name.id);
        hashes_[i] = tables_[index(name.kind)]->hash(name.text);
        tables_[index(name.kind)]->prefetch(hashes_[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const NameRef& name = names[i];
        rows[i] = NameIdTable::none;
        if (name.has_id && name.text.empty()) rows[i] = ids_[index(name.kind)].find(name.id);
        if (rows[i] == NameIdTable::none) rows[i] = resolve_one(name, hashes_[i], text, part, log);
    }
}

std::uint32_t NameResolver::resolve_one(const NameRef& name, std::uint32_t hash, std::string_view text,
                                        std::uint32_t part, DiagnosticLog& log) {
    if (!name.has_id) return intern(name, name.text, hash, text, log);
    NameIdTable& ids = ids_[index(name.kind)];
    if (name.text.empty()) {
        log.add(DiagnosticId::undefined_name_id, line_of(name, text), name.place);
        const std::uint32_t row = placeholder(name.kind, name.id);
        ids.set(name.id, row, part);
        return row;
    }
    std::uint32_t row = 0;
    if (name.nested) {
        const LineView line = line_of(name, text);
        log.add(DiagnosticId::nested_name_id, line, name.place);
        const std::optional<std::string> expanded = expand(name.text, line, log);
        if (!expanded) log.add(DiagnosticId::odd_name_id, line, name.text.data());
        const std::string_view spelled = expanded ? std::string_view(*expanded) : name.text;
        row = intern(name, spelled, tables_[index(name.kind)]->hash(spelled), text, log);
    } else {
        row = intern(name, name.text, hash, text, log);
    }
    const std::uint32_t before = ids.find(name.id);
    const bool again = ids.set(name.id, row, part);
    if (before == NameIdTable::none || before == row) return row;
    auto& open = open_[index(name.kind)];
    if (const auto late = open.find(before); late != open.end()) {
        log.add(DiagnosticId::late_name_id, line_of(name, text), name.place);
        aliases_[late->second].name = row;
    } else {
        log.add(again ? DiagnosticId::name_id_redefined : DiagnosticId::name_id_redefined_across_parts,
                line_of(name, text), name.place);
    }
    return row;
}

void NameResolver::clear() {
    for (NameIdTable& table : ids_) table.clear();
    for (Open& open : open_) open = Open();
}

NameResolver::Mark NameResolver::mark() const {
    return {{tables_[0]->size(), tables_[1]->size(), tables_[2]->size()}, aliases_.size()};
}

void NameResolver::drop(const Mark& mark) {
    clear();
    aliases_.resize(mark.aliases);
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i]->truncate(mark.names[i]);
}

std::vector<NameResolver::Alias> NameResolver::take_aliases() {
    for (Alias& alias : aliases_) {
        NameTable& table = *tables_[index(alias.kind)];
        if (alias.name == UINT32_MAX) alias.name = table.intern(std::string(table[alias.row]));
    }
    return std::move(aliases_);
}

}  // namespace callcost
