/// The machine code of a profile's functions, by objdump. For `asm` and the page.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sources/disassembly.hpp"
#include "sources/elf_file.hpp"
#include "sources/program.hpp"
#include "sources/source_files.hpp"

namespace callcost::program {

struct DisassemblerOptions {
    SourceFinderOptions search{};
    std::string system_root{};  ///< where an absolute path is searched first; empty: nowhere
    std::string program{};      ///< the only one to use; empty: those that may know the processor
    std::optional<FileTime> profile_time{};
    /// Some functions that the profile has of an object: they tell where it was loaded, and whether it is the
    /// one that was measured. May be empty.
    std::function<std::vector<KnownFunction>(std::string_view object)> known_functions{};
    std::uint64_t max_apart = 256;  ///< code without cost is shown within a function, or if it is not longer
    std::size_t max_ranges = 64;    ///< for each a program is run
    std::size_t max_remembered = 32U << 20U;  ///< bytes
    ProgramLimits limits{};                   ///< the time is that of all programs that a question takes
};

/// Finds objects, disassembles ranges of them, and caches the results.
class Disassembler {
  public:
    explicit Disassembler(DisassemblerOptions options)
        : options_(std::move(options)), finder_(options_.search) {}

    /// Ranges ascending, by addresses of the profile. Functions that they are in are shown whole.
    [[nodiscard]] engine::MachineCode machine_code(std::string_view object,
                                                   std::span<const AddressRange> ranges,
                                                   engine::Syntax syntax);

    /// Where code was inlined in these ranges, or without any, in functions of this name. A problem, and
    /// nothing else, if the object may not be the measured one.
    [[nodiscard]] engine::InlinedCode inlined_code(std::string_view object, std::string_view function,
                                                   std::span<const AddressRange> ranges);

    /// Many functions of one object, with fewer runs of the program: what machine_code() of each would have
    /// to run it for is known afterwards, as far as that can be had at once.
    void read_ahead(std::string_view object, std::span<const std::vector<AddressRange>> functions,
                    engine::Syntax syntax);

  private:
    struct Problem {
        std::string message, hint{};
        bool is_stop = false;     // the program was stopped: to run others would take as long
        bool is_doubt = false;    // whether the file is the one that was measured
        bool is_passing = false;  // the same question may be answered the next time
    };
    using Found = tl::expected<std::vector<engine::Instruction>, Problem>;
    struct Listing {
        std::string text;  // as it was printed
        std::vector<engine::Instruction> instructions;
    };
    struct Object {
        std::string path;
        bool is_guess = false;
        std::optional<FileTime> modified;
        std::optional<ElfFile> elf;  ///< none: another format, which the program may know
        LoadOffset load;
        std::optional<Problem> problem;
    };
    using Key = std::tuple<std::string, FileTime, std::uint64_t, std::uint64_t, engine::Syntax>;
    // With the ranges: pairs, as libstdc++ 12 compares vectors of plain unsigned numbers wrongly where the
    // first byte is the highest.
    using InlinedKey =
        std::tuple<std::string, std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>>;
    struct CacheEntry {
        Key key;
        Found found;
        std::size_t bytes = 0;
    };

    const Object& object_called(std::string_view name);
    Object find_object(std::string_view name);
    [[nodiscard]] std::vector<AddressRange> whole_functions(const Object& object,
                                                            std::span<const AddressRange> ranges) const;
    Found instructions_of(const Object& object, const AddressRange& range, engine::Syntax syntax);
    [[nodiscard]] Found disassemble(const Object& object, const AddressRange& range,
                                    engine::Syntax syntax) const;
    [[nodiscard]] tl::expected<Listing, Problem> listing(const Object& object, DisassemblyOrder order) const;
    [[nodiscard]] Problem stopped(const std::string& program, const ProgramLimits& limits) const;
    [[nodiscard]] std::vector<std::string> programs_for(const Object& object) const;
    [[nodiscard]] std::optional<Problem> doubt(const Object& object, std::span<const AddressRange> ranges,
                                               const std::vector<engine::Instruction>& instructions) const;
    void remember(Key key, Found found);

    DisassemblerOptions options_;
    SourceFinder finder_;
    std::chrono::steady_clock::time_point deadline_;  // of the question that is being answered
    std::map<std::string, Object, std::less<>> objects_;
    std::map<InlinedKey, engine::InlinedCode> inlined_;
    std::list<CacheEntry> remembered_;  // what was used last comes first
    std::map<Key, std::list<CacheEntry>::iterator> index_;
    std::size_t bytes_ = 0;
};

}  // namespace callcost::program
