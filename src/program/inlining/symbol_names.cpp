#include "inlining/symbol_names.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "inlining/function_names.hpp"
#include "input/decompress.hpp"
#include "sources/elf_file.hpp"
#include "sources/perf_map.hpp"

namespace callcost::program {

namespace {

constexpr std::uint64_t max_packed_size = 64U << 20U;
constexpr std::size_t max_table_size = 256U << 20U;
constexpr std::size_t least_size_of_names = 64U << 10U, size_of_name = 400;  // of all, and on average

/// Nothing if it is damaged or too large.
std::string unpacked(std::string_view packed) {
    const auto decoder = make_decoder(detect_compression(packed));
    std::string bytes;
    std::size_t size = 0;
    for (auto state = Step::State::more; decoder && state != Step::State::member_end;) {
        if (size == max_table_size) return {};
        bytes.resize(std::min(max_table_size, std::max(size + (1U << 16U), 2 * size)));
        const auto step = decoder->decode(packed, std::span(bytes).subspan(size));
        if (step.state == Step::State::damaged || (step.consumed == 0 && step.produced == 0)) return {};
        packed.remove_prefix(step.consumed);
        size += step.produced;
        state = step.state;
    }
    bytes.resize(size);
    return bytes;
}

std::vector<ElfFile> symbol_tables(const InlineRequest& request) {
    std::vector<ElfFile> tables;
    const bool is_of_build = request.build_id.empty() || build_id_of(request.debug_path) == request.build_id;
    if (!request.debug_path.empty() && is_of_build)
        if (auto table = read_elf(request.debug_path)) tables.push_back(*std::move(table));
    const auto packed = read_section(request.path, compressed_symbols, max_packed_size);
    if (!packed.empty())
        if (auto table = read_elf_bytes(unpacked(packed))) tables.push_back(*std::move(table));
    return tables;
}

bool was_mapped(const ElfFile& file, const InlineRequest::Mapped& mapped) {
    const auto page = file.largest_page();
    return std::any_of(file.segments.begin(), file.segments.end(), [&](const CodeSegment& code) {
        const auto end = code.offset + code.size, mapped_end = mapped.offset + mapped.size;
        return code.offset - mapped.offset < page && mapped_end - end < page;
    });
}

std::uint64_t linked_address(const ElfFile& file, std::uint64_t offset) {
    for (const auto& code : file.segments)
        if (offset - code.offset < code.size) return offset - code.offset + code.address;
    return UINT64_MAX;
}

}  // namespace

InlineReply read_symbol_names(const InlineRequest& request) {
    constexpr std::size_t least_beginnings = 3;  // that agree are hardly by chance
    InlineReply reply;
    auto tables = symbol_tables(request);
    auto addresses = request.unnamed;
    if (!request.mapped.empty()) {
        auto file = read_elf(request.path);
        if (!file || !std::all_of(request.mapped.begin(), request.mapped.end(),
                                  [&](const auto& mapped) { return was_mapped(*file, mapped); }))
            return {.problem = InlineProblem::other_build, .detail = {}, .map = {}, .stale = {}};
        for (auto& address : addresses) address = linked_address(*file, address);
        tables.push_back(*std::move(file));
    }
    reply.rows_of_names.resize(request.unnamed.size(), InlineSite::none);
    std::unordered_map<const FunctionSymbol*, std::uint32_t> rows;
    auto room = least_size_of_names + size_of_name * request.unnamed.size();
    std::size_t beginnings = 0, known = 0;
    for (std::size_t row = 0; row < request.unnamed.size(); ++row) {
        for (const auto& table : tables) {
            const auto* const symbol = table.function_at(addresses[row]);
            if (symbol == nullptr || symbol->name.empty()) continue;
            const auto [entry, is_new] = rows.try_emplace(symbol, InlineSite::none);
            if (is_new) {
                auto name = readable_name(symbol->name);
                const auto size = name.size() + 5;  // with its own size and its row
                if (name.size() <= max_new_name && size <= room) {
                    room -= size;
                    entry->second = static_cast<std::uint32_t>(reply.names.size());
                    reply.names.push_back(std::move(name));
                }
            }
            reply.rows_of_names[row] = entry->second;
            beginnings += symbol->first == addresses[row] ? 1U : 0U;
            ++known;
            break;
        }
    }
    if (known == 0) {
        reply.problem = InlineProblem::no_debug_info;
    } else if (!request.is_same && request.mapped.empty() &&
               (beginnings < least_beginnings || 2 * beginnings < known)) {
        reply.problem = InlineProblem::other_build;
    }
    if (reply.problem != InlineProblem::none) {
        reply.names.clear();
        reply.rows_of_names.clear();
    }
    return reply;
}

}  // namespace callcost::program
