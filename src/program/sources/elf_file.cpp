#include "sources/elf_file.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <cxxabi.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {

namespace {

constexpr std::size_t max_symbols = 4'000'000;
constexpr std::uint64_t page = 4096;  // the smallest there is: what is loaded is moved by whole pages

/// An ELF file that is open for reading.
class OpenElf {
  public:
    explicit OpenElf(const std::string& path)
        : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
        // Read and not mapped, so that nothing happens to us if it becomes shorter meanwhile.
        if (file_ >= 0 && ::elf_version(EV_CURRENT) != EV_NONE)
            elf_ = ::elf_begin(file_, ELF_C_READ, nullptr);
    }
    OpenElf(const OpenElf&) = delete;
    OpenElf& operator=(const OpenElf&) = delete;
    ~OpenElf() {
        ::elf_end(elf_);
        if (file_ >= 0) ::close(file_);
    }
    [[nodiscard]] Elf* get() const { return elf_; }

  private:
    int file_;
    Elf* elf_ = nullptr;
};

class ElfReader {
  public:
    explicit ElfReader(Elf* elf) : elf_(elf) {}

    std::optional<ElfFile> read() {
        GElf_Ehdr header;
        if (::elf_kind(elf_) != ELF_K_ELF || ::gelf_getehdr(elf_, &header) == nullptr) return std::nullopt;
        result_.machine = header.e_machine;
        result_.is_little_endian = header.e_ident[EI_DATA] == ELFDATA2LSB;
        read_segments();
        const bool has_segments = !result_.code.empty();
        std::size_t sections = 0;
        for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr; ++sections)
            read_section(section, has_segments);
        if (sections == 0) result_.has_code = has_segments;
        std::sort(result_.functions.begin(), result_.functions.end(),
                  [](const FunctionSymbol& a, const FunctionSymbol& b) {
                      return std::tie(a.first, b.end, a.name) < std::tie(b.first, a.end, b.name);
                  });
        return std::move(result_);
    }

  private:
    void read_segments() {
        std::size_t count = 0;
        if (::elf_getphdrnum(elf_, &count) != 0) return;
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr segment;
            if (::gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr) return;
            if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
            result_.code.push_back({segment.p_vaddr, segment.p_vaddr + segment.p_memsz});
            result_.segments.push_back({segment.p_offset, segment.p_filesz, segment.p_vaddr});
        }
    }

    void read_section(Elf_Scn* section, bool has_segments) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr) return;
        if ((header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_size != 0) {
            result_.has_code = result_.has_code || header.sh_type != SHT_NOBITS;
            if (!has_segments) result_.code.push_back({header.sh_addr, header.sh_addr + header.sh_size});
        }
        if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) read_symbols(section, header);
    }

    void read_symbols(Elf_Scn* section, const GElf_Shdr& header) {
        Elf_Data* const data = ::elf_getdata(section, nullptr);
        GElf_Sym symbol;
        for (int i = 0; data != nullptr && ::gelf_getsym(data, i, &symbol) != nullptr; ++i) {
            const auto type = GELF_ST_TYPE(symbol.st_info);
            if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
            if (result_.functions.size() == max_symbols) return;
            const char* const name = ::elf_strptr(elf_, header.sh_link, symbol.st_name);
            // Thumb code has odd addresses for the processor only.
            const auto first =
                result_.machine == EM_ARM ? symbol.st_value & ~std::uint64_t{1} : symbol.st_value;
            const auto size = std::min(symbol.st_size, UINT64_MAX - first);
            result_.functions.push_back({first, first + size, name == nullptr ? "" : name});
        }
    }

    Elf* elf_;
    ElfFile result_;
};

bool exists(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), R_OK) == 0;
}

/// Of a small section: what a larger one says is not believed, and not read.
std::string_view bytes_of(Elf_Scn* section) {
    constexpr std::uint64_t max_size = 64U << 10U;
    GElf_Shdr header;
    if (::gelf_getshdr(section, &header) == nullptr || header.sh_size > max_size) return {};
    const Elf_Data* const data = ::elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
}

/// Calls `visit(name, section, header)` for each section; false if there are none.
template <typename Visit>
bool visit_sections(Elf* elf, const Visit& visit) {
    std::size_t names = 0;
    if (::elf_kind(elf) != ELF_K_ELF || ::elf_getshdrstrndx(elf, &names) != 0) return false;
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr) continue;
        const char* const text = ::elf_strptr(elf, names, header.sh_name);
        visit(std::string_view(text == nullptr ? "" : text), section, header);
    }
    return true;
}

/// What the section .gnu_debuglink names: a file in one of a few directories, so no path.
std::string linked_name(Elf_Scn* section) {
    const auto bytes = bytes_of(section);
    const auto name = bytes.substr(0, bytes.find('\0'));
    return name.find('/') == std::string_view::npos ? std::string(name) : std::string();
}

std::string build_id_in(Elf_Scn* section) {
    constexpr std::size_t header_size = 16;  // of a note whose owner is "GNU"
    constexpr std::size_t max_size = 64;
    auto bytes = bytes_of(section);
    if (bytes.size() < header_size + 2 || bytes.size() > header_size + max_size) return {};
    bytes.remove_prefix(header_size);
    return hexadecimal_id(bytes);
}

/// Where Valgrind and gdb look for it, too.
std::vector<std::string> places_of_linked(const std::string& name, const std::string& path,
                                          const std::string& root) {
    const auto directory = path.substr(0, path.rfind('/') + 1);
    return {directory + name, directory + ".debug/" + name, root + "/usr/lib/debug/" + directory + name};
}

/// Reads which sections there are.
class ElfNamesReader {
  public:
    ElfNamesReader(Elf* elf, std::string path) : elf_(elf), path_(std::move(path)) {}

    std::optional<ElfNames> read() {
        bool has_symbols = false, has_lines = false;
        const auto is_elf =
            visit_sections(elf_, [&](std::string_view name, Elf_Scn* section, const GElf_Shdr& header) {
                has_symbols = has_symbols || header.sh_type == SHT_SYMTAB;
                has_lines = has_lines || name == ".debug_line" || name == ".zdebug_line" ||
                            (name == ".gnu_debuglink" && has_linked_file(section)) ||
                            (name == ".note.gnu.build-id" && has_file_of_build(section));
            });
        if (!is_elf) return std::nullopt;
        return ElfNames{
            .is_static = !has_loader(), .has_symbols = has_symbols || has_lines, .has_lines = has_lines};
    }

  private:
    [[nodiscard]] bool has_loader() const {
        std::size_t count = 0;
        if (::elf_getphdrnum(elf_, &count) != 0) return false;
        for (std::size_t i = 0; i < count; ++i) {
            GElf_Phdr segment;
            if (::gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr) return false;
            if (segment.p_type == PT_INTERP) return true;
        }
        return false;
    }

    [[nodiscard]] bool has_linked_file(Elf_Scn* section) const {
        const auto name = linked_name(section);
        const auto places = places_of_linked(name, path_, {});
        return !name.empty() && std::any_of(places.begin(), places.end(), exists);
    }

    static bool has_file_of_build(Elf_Scn* section) {
        const auto id = build_id_in(section);
        return !id.empty() && exists(file_of_build(id, {}));
    }

    Elf* elf_;
    std::string path_;
};

bool is_called(const FunctionSymbol& symbol, const std::string& name) {
    return symbol.name == name || demangled(symbol.name) == name;
}

}  // namespace

const FunctionSymbol* ElfFile::function_at(std::uint64_t address) const {
    constexpr int max_nested = 16;
    auto symbol = std::upper_bound(
        functions.begin(), functions.end(), address,
        [](std::uint64_t wanted, const FunctionSymbol& function) { return wanted < function.first; });
    for (int tries = 0; symbol != functions.begin() && tries < max_nested; ++tries)
        if (address < (--symbol)->end) return &*symbol;
    return nullptr;
}

bool ElfFile::begins_function(std::uint64_t after, std::uint64_t last) const {
    const auto symbol = std::upper_bound(
        functions.begin(), functions.end(), after,
        [](std::uint64_t wanted, const FunctionSymbol& function) { return wanted < function.first; });
    return symbol != functions.end() && symbol->first <= last;
}

std::optional<ElfNames> read_elf_names(const std::string& path) {
    const OpenElf elf(path);
    return ElfNamesReader(elf.get(), path).read();
}

std::optional<ElfFile> read_elf(const std::string& path) {
    const OpenElf elf(path);
    return elf.get() == nullptr ? std::nullopt : ElfReader(elf.get()).read();
}

std::optional<ElfFile> read_elf_bytes(std::string bytes) {
    if (::elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(::elf_memory(bytes.data(), bytes.size()), ::elf_end);
    return elf == nullptr ? std::nullopt : ElfReader(elf.get()).read();
}

bool has_section(const std::string& path, std::string_view name) {
    const OpenElf elf(path);
    bool is_there = false;
    visit_sections(elf.get(), [&](std::string_view each, Elf_Scn*, const GElf_Shdr&) {
        is_there = is_there || each == name;
    });
    return is_there;
}

bool has_dynamic_symbol(const std::string& path, std::span<const std::string_view> beginnings) {
    const OpenElf elf(path);
    bool is_there = false;
    visit_sections(elf.get(), [&](std::string_view, Elf_Scn* section, const GElf_Shdr& header) {
        Elf_Data* const data = header.sh_type == SHT_DYNSYM ? ::elf_getdata(section, nullptr) : nullptr;
        GElf_Sym symbol;
        for (int i = 0; data != nullptr && !is_there && ::gelf_getsym(data, i, &symbol) != nullptr; ++i) {
            const char* const text = ::elf_strptr(elf.get(), header.sh_link, symbol.st_name);
            const std::string_view name(text == nullptr ? "" : text);
            is_there = std::any_of(beginnings.begin(), beginnings.end(),
                                   [&](std::string_view beginning) { return name.starts_with(beginning); });
        }
    });
    return is_there;
}

std::string read_section(const std::string& path, std::string_view name, std::uint64_t max_size) {
    const OpenElf elf(path);
    std::string bytes;
    visit_sections(elf.get(), [&](std::string_view each, Elf_Scn* section, const GElf_Shdr& header) {
        if (each != name || header.sh_size > max_size) return;
        const Elf_Data* const data = ::elf_rawdata(section, nullptr);
        if (data == nullptr || data->d_buf == nullptr) return;
        bytes.assign(static_cast<const char*>(data->d_buf), data->d_size);
    });
    return bytes;
}

std::string hexadecimal_id(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string id;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        id += digits[byte / 16U];
        id += digits[byte % 16U];
    }
    return id;
}

std::string shared_build(const std::string& path) {
    constexpr std::size_t longest_id = 64;
    const auto link = read_section(path, ".gnu_debugaltlink", PATH_MAX + longest_id);
    const auto end = link.find('\0');  // of the file's name
    if (end == std::string::npos || link.size() - end - 1 > longest_id) return {};
    return hexadecimal_id(std::string_view(link).substr(end + 1));
}

std::string file_of_build(const std::string& id, const std::string& system_root) {
    return system_root + "/usr/lib/debug/.build-id/" + id.substr(0, 2) + '/' +
           id.substr(std::min<std::size_t>(2, id.size())) + ".debug";
}

std::string build_id_of(const std::string& path) {
    const OpenElf elf(path);
    std::string id;
    if (elf.get() != nullptr)
        visit_sections(elf.get(), [&](std::string_view name, Elf_Scn* section, const GElf_Shdr&) {
            if (name == ".note.gnu.build-id") id = build_id_in(section);
        });
    return id;
}

DebugFile find_debug_file(const std::string& path, const std::string& system_root) {
    DebugFile found;
    const OpenElf elf(path);
    std::string linked;
    bool has_its_own = false;
    if (elf.get() == nullptr) return found;
    visit_sections(elf.get(), [&](std::string_view name, Elf_Scn* section, const GElf_Shdr&) {
        if (name == ".note.gnu.build-id") found.build_id = build_id_in(section);
        if (name == ".gnu_debuglink") linked = linked_name(section);
        if (name == ".debug_info" || name == ".zdebug_info") has_its_own = true;
    });
    if (has_its_own) return found;
    std::vector<std::string> places;
    for (const auto& root : {system_root, std::string()}) {
        if (!found.build_id.empty()) places.push_back(file_of_build(found.build_id, root));
        if (linked.empty()) continue;
        const auto more = places_of_linked(linked, path, root);
        places.insert(places.end(), more.begin(), more.end());
    }
    std::erase_if(places, [](const std::string& place) { return !exists(place); });
    found.has_debug_info = !places.empty() || ::elf_kind(elf.get()) != ELF_K_ELF;
    if (places.empty()) return found;
    const auto is_of_this_build = [&](const std::string& place) {
        return build_id_of(place) == found.build_id;
    };
    const auto place = std::find_if(places.begin(), places.end(), is_of_this_build);
    found.path = place != places.end() ? *place : places.front();
    return found;
}

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z")) return name;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return text ? text.get() : name;
}

std::uint64_t ElfFile::largest_page() const {
    return machine == EM_X86_64 || machine == EM_386 ? 4U << 10U : 64U << 10U;
}

std::string_view tool_prefix(const ElfFile& file) {
    const auto of_order = [&](std::string_view little, std::string_view big) {
        return file.is_little_endian ? little : big;
    };
    switch (file.machine) {
        case EM_386:
            return "i686-linux-gnu";
        case EM_X86_64:
            return "x86_64-linux-gnu";
        case EM_AARCH64:
            return "aarch64-linux-gnu";
        case EM_ARM:
            return "arm-linux-gnueabihf";
        case EM_RISCV:
            return "riscv64-linux-gnu";
        case EM_PPC64:
            return of_order("powerpc64le-linux-gnu", "powerpc64-linux-gnu");
        case EM_PPC:
            return "powerpc-linux-gnu";
        case EM_S390:
            return "s390x-linux-gnu";
        case EM_MIPS:
            return of_order("mips64el-linux-gnuabi64", "mips-linux-gnu");
        case EM_LOONGARCH:
            return "loongarch64-linux-gnu";
        default:
            return {};
    }
}

namespace {

/// The symbols that have the names of known functions.
std::vector<std::pair<const KnownFunction*, const FunctionSymbol*>> symbols_of(
    const ElfFile& file, std::span<const KnownFunction> known) {
    std::unordered_map<std::string_view, const KnownFunction*> by_name;
    for (const KnownFunction& function : known) by_name.emplace(function.name, &function);
    std::vector<std::pair<const KnownFunction*, const FunctionSymbol*>> pairs;
    for (const FunctionSymbol& symbol : file.functions) {
        auto found = by_name.find(symbol.name);
        if (found == by_name.end()) found = by_name.find(demangled(symbol.name));
        if (found != by_name.end()) pairs.emplace_back(found->second, &symbol);
    }
    return pairs;
}

}  // namespace

LoadOffset load_offset(const ElfFile& file, std::span<const KnownFunction> known) {
    LoadOffset result;
    for (const KnownFunction& function : known) {
        const FunctionSymbol* const symbol = file.function_at(function.address);
        if (symbol != nullptr && is_called(*symbol, function.name)) ++result.agreeing;
    }
    if (result.agreeing > 0) return result;

    // An offset for which the profile's lowest address is in the function; better if it is the function's
    // first.
    constexpr std::uint64_t max_pages = 16;
    std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> votes;  // weight, functions
    const auto pairs = symbols_of(file, known);
    for (const auto& [function, symbol] : pairs) {
        if (function->address < symbol->first) continue;
        const std::uint64_t most = function->address - symbol->first;
        const std::uint64_t size = std::max<std::uint64_t>(symbol->end - symbol->first, 1);
        std::uint64_t offset = most - most % page;
        for (std::uint64_t pages = 0; pages < max_pages && most - offset < size; ++pages) {
            auto& [weight, functions] = votes[offset];
            weight += offset == most ? 2 : 1;
            ++functions;
            if (offset < page) break;
            offset -= page;
        }
    }
    const auto best = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
        return a.second.first < b.second.first;
    });
    if (best == votes.end() || 2 * best->second.second < pairs.size())
        return {.offset = 0, .agreeing = 0, .contradicting = pairs.size()};
    return {.offset = best->first,
            .agreeing = best->second.second,
            .contradicting = pairs.size() - std::min(pairs.size(), best->second.second)};
}

}  // namespace callcost::program
