/// Code segments and function symbols of an ELF file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/lines.hpp>

namespace callcost::program {

struct FunctionSymbol {
    std::uint64_t first = 0, end = 0;  ///< addresses as linked; equal if its size is not known
    std::string name;                  ///< as the linker knows it
};

/// What of a file is loaded as code, and where.
struct CodeSegment {
    std::uint64_t offset = 0, size = 0;  ///< in the file
    std::uint64_t address = 0;           ///< as linked
};

struct ElfFile {
    unsigned machine = 0;  ///< EM_...
    bool is_little_endian = true;
    bool has_code = false;                  ///< false: debug information only
    std::vector<AddressRange> code;         ///< executable segments
    std::vector<CodeSegment> segments{};    ///< the same; empty if only sections say what is code
    std::vector<FunctionSymbol> functions;  ///< by address, those with an end first

    /// Of a running program, in bytes.
    [[nodiscard]] std::uint64_t largest_page() const;
    /// The function that an address is in; null if none is known.
    [[nodiscard]] const FunctionSymbol* function_at(std::uint64_t address) const;
    /// Whether a function begins behind `after`, up to `last`.
    [[nodiscard]] bool begins_function(std::uint64_t after, std::uint64_t last) const;
};

/// Nothing if it is no ELF file or a damaged one.
[[nodiscard]] std::optional<ElfFile> read_elf(const std::string& path);

/// The same of the bytes of one.
[[nodiscard]] std::optional<ElfFile> read_elf_bytes(std::string bytes);

/// Where a stripped file keeps an ELF file with symbols that others leave out, compressed.
constexpr std::string_view compressed_symbols = ".gnu_debugdata";
[[nodiscard]] bool has_section(const std::string& path, std::string_view name);
/// Empty if there is no such section, or a larger one.
[[nodiscard]] std::string read_section(const std::string& path, std::string_view name,
                                       std::uint64_t max_size);

/// What a profiler can say about the code of an ELF file.
struct ElfNames {
    bool is_static = false;   ///< a program that no loader loads libraries for
    bool has_symbols = true;  ///< more than those that other files need
    bool has_lines = true;    ///< line numbers, in the file or in one that goes with it
};
/// Nothing if it is no ELF file or a damaged one.
[[nodiscard]] std::optional<ElfNames> read_elf_names(const std::string& path);

/// Whether it offers or needs a symbol whose name begins with one of these.
[[nodiscard]] bool has_dynamic_symbol(const std::string& path, std::span<const std::string_view> beginnings);

/// In hexadecimal digits; empty: it has none.
[[nodiscard]] std::string build_id_of(const std::string& path);

/// Where the debug information of an ELF file is.
struct DebugFile {
    std::string build_id;        ///< in hexadecimal digits; empty: it has none
    std::string path;            ///< of a separate file; empty: there is none
    bool has_debug_info = true;  ///< there, or in the file itself; also if that cannot be read
};
/// Looks where gdb and Valgrind look, below `system_root` first, unless that is empty.
[[nodiscard]] DebugFile find_debug_file(const std::string& path, const std::string& system_root = {});

/// Bytes of a build ID as digits, and where the debug file of a build is, below `system_root`.
[[nodiscard]] std::string hexadecimal_id(std::string_view bytes);
[[nodiscard]] std::string file_of_build(const std::string& id, const std::string& system_root);

/// The build ID of the file that a debug file shares with others (.gnu_debugaltlink); empty: it shares none.
[[nodiscard]] std::string shared_build(const std::string& path);

/// As people write it; the name itself if it is not mangled.
[[nodiscard]] std::string demangled(const std::string& name);

/// The beginning of GNU's names of tools for a machine: "aarch64-linux-gnu"; empty if there is none.
[[nodiscard]] std::string_view tool_prefix(const ElfFile& file);

/// What the profile says about a function: its name, and the lowest address it has cost at.
struct KnownFunction {
    std::string name;
    std::uint64_t address = 0;
};

/// Load offset: maps file addresses to profile addresses.
struct LoadOffset {
    std::uint64_t offset = 0;       ///< what to add to an address of the file
    std::size_t agreeing = 0;       ///< known functions that are where they should be with it
    std::size_t contradicting = 0;  ///< known functions that the file has elsewhere
};
/// The offset with which most of the known functions are where the file has them; 0 if that cannot be told.
[[nodiscard]] LoadOffset load_offset(const ElfFile& file, std::span<const KnownFunction> known);

}  // namespace callcost::program
