/// Stands in for other programs and for ELF files: there are none here.
#include <cerrno>

#include "commands/build_id.hpp"
#include "inlining/address_names.hpp"
#include "inlining/inline_cache.hpp"
#include "inlining/inline_maps.hpp"
#include "inlining/inline_worker.hpp"
#include "inlining/unnamed_functions.hpp"
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
DebugFile find_debug_file(const std::string&, const std::string&) { return {}; }
std::string demangled(const std::string& name) { return name; }
std::string_view tool_prefix(const ElfFile&) { return {}; }
LoadOffset load_offset(const ElfFile&, std::span<const KnownFunction>) { return {}; }

int run_inline_worker() { return 1; }
std::string user_cache_directory() { return {}; }
std::optional<RecordedBuild> parse_recorded_build(std::string_view) { return std::nullopt; }
std::string stale_message(const InlineMaps&) { return {}; }

FoundNames find_names(const Profile&, const InlineMapOptions& options, RoomForNames) {
    FoundNames none;
    if (options.asks_debuginfod)
        none.problem = "this callcost, which runs in Node.js, does not read debug information";
    return none;
}

engine::NamesOfAddresses names_of_addresses(std::span<const engine::MappedCode>,
                                            std::span<const engine::AddressInCode>, const InlineMapOptions&) {
    return {};
}

InlineMaps find_inlined_code(const Profile&, const InlineMapOptions&) {
    InlineMaps none;
    none.problem = "this callcost, which runs in Node.js, does not read debug information";
    return none;
}

}  // namespace callcost::program
