/// Stands in for other programs and for ELF files: there are none here.
#include <cerrno>

#include "commands/build_id.hpp"
#include "sources/elf_file.hpp"
#include "sources/program.hpp"

namespace callcost::program {

std::string build_id() { return {}; }

tl::expected<ProgramOutput, int> run_program(const std::vector<std::string>&, const ProgramLimits&) {
    return tl::unexpected(ENOSYS);
}

const FunctionSymbol* ElfFile::function_at(std::uint64_t) const { return nullptr; }
bool ElfFile::begins_function(std::uint64_t, std::uint64_t) const { return false; }
std::optional<ElfFile> read_elf(const std::string&) { return std::nullopt; }
std::string demangled(const std::string& name) { return name; }
std::string_view tool_prefix(const ElfFile&) { return {}; }
LoadOffset load_offset(const ElfFile&, std::span<const KnownFunction>) { return {}; }

}  // namespace callcost::program
