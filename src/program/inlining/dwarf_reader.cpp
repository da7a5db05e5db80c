#include "inlining/dwarf_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inlining/debug_names.hpp"
#include "sources/elf_file.hpp"

namespace callcost::program {

namespace {

constexpr std::size_t max_known = 64;  // functions that tell where the object was loaded
constexpr int max_depth = 500;         // of entries in a function

/// A regular file: opening another one may do harm. -1: there is none.
int open_regular(const std::string& path) {
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

std::string directory_part(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::string beside(const std::string& directory, const std::string& name) {
    return name.starts_with('/') || directory.empty()
               ? name
               : directory + (directory.ends_with('/') ? "" : "/") + name;
}

bool has_code(Dwarf_Die& die) {
    return ::dwarf_hasattr(&die, DW_AT_low_pc) != 0 || ::dwarf_hasattr(&die, DW_AT_ranges) != 0;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

class OpenDwarf {
  public:
    explicit OpenDwarf(const std::string& path) : file_(open_regular(path)) {
        if (file_ < 0 || ::elf_version(EV_CURRENT) == EV_NONE) return;
        elf_ = ::elf_begin(file_, ELF_C_READ_MMAP_PRIVATE, nullptr);
        if (elf_ != nullptr) dwarf_ = ::dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
    }
    OpenDwarf(const OpenDwarf&) = delete;
    OpenDwarf& operator=(const OpenDwarf&) = delete;
    ~OpenDwarf() {
        ::dwarf_end(dwarf_);
        ::elf_end(elf_);
        if (file_ >= 0) ::close(file_);
    }
    [[nodiscard]] Dwarf* get() const { return dwarf_; }

  private:
    int file_;
    Elf* elf_ = nullptr;
    Dwarf* dwarf_ = nullptr;
};

class DwarfReader {
  public:
    explicit DwarfReader(const InlineRequest& request)
        : request_(request), elf_(read_elf(request.path).value_or(ElfFile())) {
        find_load_offset();
        for (std::size_t row = 0; row < request.records.size(); ++row) {
            const auto& record = request.records[row];
            if (row > 0 && record.address == request.records[row - 1].address) continue;
            addresses_.push_back(record.address - offset_);
            first_records_.push_back(row);
        }
        first_records_.push_back(request.records.size());
        sites_.assign(addresses_.size(), InlineSite::none);
        owners_.assign(addresses_.size(), 0);
        agreement_.assign(request.records.size(), Agreement::unknown);
        lines_.resize(addresses_.size());
    }

    InlineReply read() {
        const auto problem = [&](InlineProblem reason) {
            return InlineReply{.problem = reason, .detail = std::move(reply_.detail), .map = {}, .stale = {}};
        };
        const auto& path = request_.debug_path.empty() ? request_.path : request_.debug_path;
        if (!request_.debug_path.empty() && !request_.build_id.empty()) {
            const auto id = build_id_of(path);
            if (!id.empty() && id != request_.build_id) return problem(InlineProblem::other_debug_file);
        }
        if (elf_.functions.empty() && elf_.code.empty()) return problem(InlineProblem::unreadable);
        const OpenDwarf dwarf(path);
        if (dwarf.get() == nullptr) return problem(InlineProblem::no_debug_info);
        std::optional<OpenDwarf> shared;
        const auto of_shared = open_shared(dwarf.get(), path, shared);
        if (of_shared != InlineProblem::none) return problem(of_shared);
        Dwarf_CU* unit = nullptr;
        Dwarf_Die top;
        std::uint8_t type = 0;
        int end = 0;
        while ((end = ::dwarf_get_units(dwarf.get(), unit, &unit, nullptr, &type, &top, nullptr)) == 0) {
            if (type == DW_UT_type || type == DW_UT_partial || !has_wanted(top)) continue;
            Dwarf_Die whole = top;
            if (type == DW_UT_skeleton && !open_split(unit, top, whole))
                return problem(InlineProblem::no_split_file);
            compare_lines(top);
            read_scope(whole, 0);
        }
        if (!has_units_) return problem(end < 0 ? InlineProblem::damaged : InlineProblem::no_debug_info);
        judge_functions();
        fill_runs();
        fill_lines();
        name_files();
        return std::move(reply_);
    }

  private:
    enum class Agreement : std::uint8_t { unknown, no, yes };
    struct Owner {
        Dwarf_Die die{};
        std::optional<std::string> name{};
    };

    void find_load_offset() {
        std::vector<KnownFunction> known;
        std::vector<bool> is_known(request_.functions.size());
        for (const auto& record : request_.records) {
            if (known.size() == max_known) break;
            if (is_known[record.function]) continue;
            is_known[record.function] = true;
            known.push_back({request_.functions[record.function], record.address});
        }
        offset_ = load_offset(elf_, known).offset;
        for (const auto& function : known) {
            const auto* const symbol = elf_.function_at(function.address - offset_);
            if (symbol != nullptr && symbol->name == function.name &&
                demangled(symbol->name) != function.name)
                names_ = DebugNames(true);
        }
        if (!request_.records.empty() && offset_ > request_.records.front().address) offset_ = 0;
    }

    /// The file that `dwz` moves to what several debug files have in common.
    InlineProblem open_shared(Dwarf* dwarf, const std::string& path, std::optional<OpenDwarf>& shared) {
        const char* name = nullptr;
        const void* bytes = nullptr;
        const auto size = ::dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &bytes);
        if (size <= 0) return InlineProblem::none;
        std::error_code ignored;
        const auto real = std::filesystem::canonical(path, ignored).string();
        const auto id = hexadecimal_id({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
        auto problem = InlineProblem::no_shared_file;
        reply_.detail = beside(directory_part(real), name);
        for (const auto& place :
             {beside(directory_part(real), name), file_of_build(id, {}), request_.shared_path}) {
            shared.emplace(place);
            if (shared->get() == nullptr) continue;
            if (build_id_of(place) == id) {
                ::dwarf_setalt(dwarf, shared->get());
                reply_.detail.clear();
                return InlineProblem::none;
            }
            if (problem == InlineProblem::no_shared_file) reply_.detail = place;
            problem = InlineProblem::other_shared_file;
        }
        return problem;
    }

    bool open_split(Dwarf_CU* unit, Dwarf_Die& skeleton, Dwarf_Die& whole) {
        auto name = own_string(skeleton, DW_AT_dwo_name);
        if (name.empty()) name = own_string(skeleton, DW_AT_GNU_dwo_name);
        const std::string directory(own_string(skeleton, DW_AT_comp_dir));
        enum class Kind : std::uint8_t { absent, regular, other };
        const auto kind_of = [](const std::string& path) {
            struct stat facts {};
            if (::stat(path.c_str(), &facts) != 0) return Kind::absent;
            return S_ISREG(facts.st_mode) ? Kind::regular : Kind::other;
        };
        // Where libdw looks.
        const auto& path = request_.debug_path.empty() ? request_.path : request_.debug_path;
        const auto first = beside(directory_part(path), std::string(name));
        const auto second = beside(directory, std::string(name));
        std::uint8_t type = 0;
        reply_.detail = second;
        const auto kinds = std::pair(kind_of(first), kind_of(second));
        const bool is_there = kinds.first == Kind::regular || kinds.second == Kind::regular;
        if (!is_there || kinds.first == Kind::other || kinds.second == Kind::other ||
            ::dwarf_cu_info(unit, nullptr, &type, nullptr, &whole, nullptr, nullptr, nullptr) != 0 ||
            whole.addr == nullptr)
            return false;
        reply_.detail.clear();
        return true;
    }

    /// Calls `visit(first, end)` with the addresses asked for in each range of an entry; whether there are
    /// any.
    template <typename Visit>
    bool visit_wanted(Dwarf_Die& die, const Visit& visit) const {
        bool has_any = false;
        std::ptrdiff_t state = 0;
        Dwarf_Addr base = 0, first = 0, end = 0;
        while ((state = ::dwarf_ranges(&die, state, &base, &first, &end)) > 0) {
            // What the linker has left out is at 0 or 1.
            if (first <= 1 || first >= end) continue;
            const auto from = std::lower_bound(addresses_.begin(), addresses_.end(), first);
            if (from == addresses_.end() || *from >= end) continue;
            const auto to = std::lower_bound(from, addresses_.end(), end);
            has_any = true;
            visit(static_cast<std::size_t>(from - addresses_.begin()),
                  static_cast<std::size_t>(to - addresses_.begin()));
        }
        return has_any;
    }

    /// A unit that does not say where its code is may have any.
    bool has_wanted(Dwarf_Die& unit) {
        has_units_ = true;
        return !has_code(unit) || visit_wanted(unit, [](std::size_t, std::size_t) {});
    }

    // --- lines ---

    void compare_lines(Dwarf_Die& unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (::dwarf_getsrclines(&unit, &lines, &count) != 0 || count == 0) return;
        const auto compare = [&](std::size_t first, std::size_t end) {
            for (; first < end; ++first) compare_address(lines, count, first);
        };
        if (has_code(unit)) {
            visit_wanted(unit, compare);
        } else {
            compare(0, addresses_.size());
        }
    }

    void compare_address(Dwarf_Lines* lines, std::size_t count, std::size_t row) {
        const auto address = addresses_[row];
        const auto address_of = [&](std::size_t i) {
            Dwarf_Addr found = 0;
            ::dwarf_lineaddr(::dwarf_onesrcline(lines, i), &found);
            return found;
        };
        std::size_t first = 0;
        for (std::size_t end = count; first < end;) {  // the first row behind it
            const auto middle = first + (end - first) / 2;
            if (address_of(middle) <= address) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        for (auto i = first; i > 0; --i) {  // all that are at the same place
            Dwarf_Line* const line = ::dwarf_onesrcline(lines, i - 1);
            bool is_end = false;
            if (::dwarf_lineendsequence(line, &is_end) != 0 || is_end ||
                address_of(i - 1) != address_of(first - 1))
                return;
            compare_row(line, row);
        }
    }

    void compare_row(Dwarf_Line* line, std::size_t row) {
        int number = 0;
        ::dwarf_lineno(line, &number);
        const char* const source = ::dwarf_linesrc(line, nullptr, nullptr);
        const std::string_view file = source == nullptr ? "" : source;
        if (number > 0 && lines_[row].number == 0) lines_[row] = {file, static_cast<std::uint64_t>(number)};
        for (auto i = first_records_[row]; i < first_records_[row + 1]; ++i) {
            const auto& record = request_.records[i];
            if (record.line == 0 || agreement_[i] == Agreement::yes) continue;
            const auto& name = request_.files[record.file];
            // Code may have no line. Valgrind joins rows of the same line, whatever file they are of.
            const bool agrees = number == 0 || static_cast<std::uint64_t>(number) == record.line;
            agreement_[i] = agrees ? Agreement::yes : Agreement::no;
            if (agrees && base_name(name) == base_name(file)) names_of_files_.try_emplace(file, record.file);
        }
    }

    /// Functions that are not those of the profile.
    void judge_functions() {
        std::vector<bool> is_stale(request_.functions.size());
        auto& has_lines = has_lines_;
        has_lines.resize(request_.functions.size());
        for (std::size_t i = 0; i < agreement_.size(); ++i) {
            const auto function = request_.records[i].function;
            if (request_.records[i].line == 0) continue;
            has_lines[function] = true;
            if (agreement_[i] != Agreement::yes) is_stale[function] = true;
        }
        // Of a function that has no lines in the profile, the name must be that of its symbol.
        for (std::size_t row = 0; row < addresses_.size(); ++row) {
            for (auto i = first_records_[row]; i < first_records_[row + 1]; ++i) {
                const auto function = request_.records[i].function;
                if (has_lines[function] || owners_[row] == 0) continue;
                if (name_of(owners_[row]) != request_.functions[function]) is_stale[function] = true;
            }
        }
        reply_.compared = static_cast<std::uint32_t>(std::count(has_lines.begin(), has_lines.end(), true));
        if (request_.is_same) return;
        for (std::uint32_t function = 0; function < is_stale.size(); ++function)
            if (is_stale[function]) reply_.stale.push_back(function);
        for (std::size_t row = 0; row < addresses_.size(); ++row)
            for (auto i = first_records_[row]; i < first_records_[row + 1]; ++i)
                if (is_stale[request_.records[i].function]) {
                    sites_[row] = InlineSite::none;
                    lines_[row] = {};
                }
    }

    // --- inlined code ---

    /// Functions in a unit, a namespace or a type.
    void read_scope(Dwarf_Die& scope, int depth) {
        Dwarf_Die die;
        if (depth > max_depth || ::dwarf_child(&scope, &die) != 0) return;
        const bool has_types = ::dwarf_srclang(&scope) == DW_LANG_Rust || depth > 0;
        do {
            switch (::dwarf_tag(&die)) {
                case DW_TAG_subprogram:
                    read_function(die, depth);
                    break;
                case DW_TAG_namespace:
                case DW_TAG_module:
                    read_scope(die, depth + 1);
                    break;
                case DW_TAG_structure_type:
                case DW_TAG_class_type:
                case DW_TAG_union_type:
                case DW_TAG_enumeration_type:
                    if (has_types) read_scope(die, depth + 1);
                    break;
                default:
                    break;
            }
        } while (::dwarf_siblingof(&die, &die) == 0);
    }

    void read_function(Dwarf_Die& die, int depth) {
        if (!read_code(die, depth)) read_local(die, depth);
    }

    /// Functions and types in a function, whose own code is of no interest.
    void read_local(Dwarf_Die& function, int depth) {
        Dwarf_Die die;
        if (depth > max_depth || ::dwarf_child(&function, &die) != 0) return;
        do {
            if (::dwarf_tag(&die) == DW_TAG_lexical_block) {
                read_local(die, depth + 1);
            } else {
                read_nested(die, depth + 1);
            }
        } while (::dwarf_siblingof(&die, &die) == 0);
    }

    /// A function or type in a function; others have no code of their own.
    void read_nested(Dwarf_Die& die, int depth) {
        switch (::dwarf_tag(&die)) {
            case DW_TAG_subprogram:
                read_function(die, depth);
                break;
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type:
                read_scope(die, depth);
                break;
            default:
                break;
        }
    }

    /// False if a function has none of the addresses.
    bool read_code(Dwarf_Die& die, int depth) {
        if (!has_code(die)) return false;
        const auto owner = static_cast<std::uint32_t>(functions_.size() + 1);
        bool is_owner = false;
        const bool has_any = visit_wanted(die, [&](std::size_t first, std::size_t end) {
            for (; first < end; ++first) {
                if (!takes_over(owners_[first], die, first)) continue;
                owners_[first] = owner;
                sites_[first] = InlineSite::none;
                is_owner = true;
            }
        });
        if (!has_any || !is_owner) return false;
        functions_.push_back({die});
        read_inlined(die, owner, InlineSite::none, depth);
        return true;
    }

    /// The linker keeps one of several functions that have the same code; the profile has its name.
    bool takes_over(std::uint32_t owner, Dwarf_Die& die, std::size_t row) {
        if (owner == 0) return true;
        auto& before = functions_[owner - 1];
        const auto linkage = linkage_name(die);
        if (!linkage.empty() && linkage == linkage_name(before.die)) return false;
        const auto& wanted = request_.functions[request_.records[first_records_[row]].function];
        return name_of(owner) != wanted && names_.name_of(die) == wanted;
    }

    const std::string& name_of(std::uint32_t owner) {
        auto& function = functions_[owner - 1];
        if (!function.name) function.name = names_.name_of(function.die);
        return *function.name;
    }

    void read_inlined(Dwarf_Die& around, std::uint32_t owner, std::uint32_t parent, int depth) {
        Dwarf_Die die;
        if (depth > max_depth || ::dwarf_child(&around, &die) != 0) return;
        do {
            switch (::dwarf_tag(&die)) {
                case DW_TAG_inlined_subroutine:
                    read_site(die, owner, parent, depth);
                    break;
                case DW_TAG_lexical_block:
                case DW_TAG_try_block:
                case DW_TAG_catch_block:
                case DW_TAG_with_stmt:
                    if (!has_code(die) || visit_wanted(die, [](std::size_t, std::size_t) {})) {
                        read_inlined(die, owner, parent, depth + 1);
                    } else {
                        read_local(die, depth + 1);
                    }
                    break;
                default:
                    read_nested(die, depth + 1);
            }
        } while (::dwarf_siblingof(&die, &die) == 0);
    }

    void read_site(Dwarf_Die& die, std::uint32_t owner, std::uint32_t parent, int depth) {
        if (!has_code(die)) return;
        const auto row = static_cast<std::uint32_t>(reply_.map.sites.size());
        bool is_used = false;
        visit_wanted(die, [&](std::size_t first, std::size_t end) {
            for (; first < end; ++first) {
                if (owners_[first] != owner) continue;
                sites_[first] = row;
                is_used = true;
            }
        });
        if (!is_used) return;
        InlineSite site{.parent = parent, .function = function_of(die), .entry = entry_of(die)};
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        if (::dwarf_formudata(::dwarf_attr(&die, DW_AT_call_line, &attribute), &number) == 0)
            site.line = number;
        if (::dwarf_formudata(::dwarf_attr(&die, DW_AT_call_file, &attribute), &number) == 0)
            site.file = file_row(file_called(attribute.cu, number));
        reply_.map.sites.push_back(site);
        read_inlined(die, owner, row, depth + 1);
    }

    [[nodiscard]] std::uint64_t entry_of(Dwarf_Die& die) const {
        Dwarf_Attribute attribute;
        Dwarf_Addr entry = 0, base = 0, end = 0;
        Dwarf_Word distance = 0;
        const bool is_written = ::dwarf_attr(&die, DW_AT_entry_pc, &attribute) != nullptr;
        if (is_written && ::dwarf_formaddr(&attribute, &entry) == 0) return entry + offset_;
        if (::dwarf_ranges(&die, 0, &base, &entry, &end) <= 0) return 0;
        if (is_written && ::dwarf_formudata(&attribute, &distance) == 0) entry += distance;
        return entry + offset_;
    }

    std::uint32_t function_of(const Dwarf_Die& die) {
        Dwarf_Die origin = origin_of(die);
        const auto [known, is_new] = functions_by_origin_.try_emplace(origin.addr);
        if (!is_new) return known->second;
        InlinedFunction function{names_.name_of(origin), {}};
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        Dwarf_Die declaration = names_.declaration_of(origin);
        const auto read = [&](unsigned name) {
            return ::dwarf_formudata(::dwarf_attr_integrate(&declaration, name, &attribute), &number) == 0;
        };
        if (read(DW_AT_decl_line)) function.line = number;
        if (read(DW_AT_decl_file)) function.file = file_called(attribute.cu, number);
        auto [same, is_first] =
            functions_by_name_.try_emplace(std::tuple(function.name, function.file, function.line),
                                           static_cast<std::uint32_t>(reply_.map.functions.size()));
        if (is_first) reply_.map.functions.push_back(std::move(function));
        known->second = same->second;
        return same->second;
    }

    std::string_view file_called(Dwarf_CU* unit, Dwarf_Word row) {
        auto [known, is_new] = files_.try_emplace(std::pair(unit, row));
        if (is_new) known->second = file_name(unit, row);
        return known->second;
    }

    std::uint32_t file_row(std::string_view name) {
        if (name.empty()) return InlineSite::none;
        const auto [known, is_new] =
            file_rows_.try_emplace(name, static_cast<std::uint32_t>(reply_.map.files.size()));
        if (is_new) reply_.map.files.emplace_back(name);
        return known->second;
    }

    /// As the profile does, where it has lines of them.
    void name_files() {
        const auto rename = [&](std::string& name) {
            const auto found = names_of_files_.find(name);
            if (found != names_of_files_.end()) name = request_.files[found->second];
        };
        for (auto& name : reply_.map.files) rename(name);
        for (auto& function : reply_.map.functions) rename(function.file);
    }

    void fill_runs() {
        auto& runs = reply_.map.runs;
        for (std::size_t row = 0; row < addresses_.size(); ++row)
            if (runs.empty() ? sites_[row] != InlineSite::none : runs.back().site != sites_[row])
                runs.push_back({addresses_[row] + offset_, sites_[row]});
    }

    /// Of functions that have none in the profile.
    void fill_lines() {
        auto& lines = reply_.map.lines;
        for (std::size_t row = 0; row < addresses_.size(); ++row) {
            const auto& function = request_.records[first_records_[row]].function;
            const auto& [name, number] = lines_[row];
            const auto file = has_lines_[function] || number == 0 ? InlineSite::none : file_row(name);
            const auto line = file == InlineSite::none ? 0 : number;
            if (lines.empty() ? line != 0
                              : std::pair(lines.back().file, lines.back().line) != std::pair(file, line))
                lines.push_back({addresses_[row] + offset_, file, line});
        }
    }

    const InlineRequest& request_;
    ElfFile elf_;
    std::uint64_t offset_ = 0;                // of the profile's addresses above those of the file
    std::vector<std::uint64_t> addresses_;    // of the file, ascending
    std::vector<std::size_t> first_records_;  // by address, and the end
    std::vector<std::uint32_t> sites_;        // by address
    std::vector<std::uint32_t> owners_;       // by address: row of functions_ + 1; 0: none yet
    std::vector<Agreement> agreement_;        // by record
    struct Line {
        std::string_view file;
        std::uint64_t number = 0;
    };
    std::vector<Line> lines_;      // by address
    std::vector<bool> has_lines_;  // by function: in the profile
    std::vector<Owner> functions_;
    bool has_units_ = false;
    DebugNames names_{false};
    std::unordered_map<const void*, std::uint32_t> functions_by_origin_;
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint32_t> functions_by_name_;
    std::map<std::pair<Dwarf_CU*, Dwarf_Word>, std::string_view> files_;
    std::unordered_map<std::string_view, std::uint32_t> names_of_files_;  // of the request, by DWARF's
    std::unordered_map<std::string_view, std::uint32_t> file_rows_;
    InlineReply reply_;
};

}  // namespace

InlineReply read_inlined_code(const InlineRequest& request) { return DwarfReader(request).read(); }

}  // namespace callcost::program
