/// Files of the same run, by name (F86, F87), and the default file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::program {

/// `.gz`, `.bz2`, `.xz` or `.zst` at the end of a name, or nothing.
[[nodiscard]] std::string_view compression_suffix(std::string_view name);

/// BASE, if the file's name is BASE-NN, or BASE.N or BASE.N-NN where BASE is callgrind.out.PID or the like;
/// else the path itself. Only names are looked at.
[[nodiscard]] std::string base_of(const std::string& path);

/// Finds the files of a run beside a given one. Lists each directory once.
class FileSets {
  public:
    /// The other dumps of the run whose final dump is `base`: the existing regular files named exactly BASE.N
    /// (a part), BASE-NN (a thread) or BASE.N-NN. Sorted by part, then thread; files without .N belong to the
    /// last part. A base that ends in .gz, .bz2, .xz or .zst stands for parts that end likewise. `base` need
    /// not exist. If it is called callgrind.out or cachegrind.out, .N may be a process id: then it counts
    /// only if no part before it is missing.
    [[nodiscard]] std::vector<std::string> other_parts(const std::string& base);

    /// `base` and its other parts, in their order. An empty base is omitted if there are others: Callgrind
    /// creates it at the start, and it stays empty where each thread has a file of its own. So is a missing
    /// one.
    [[nodiscard]] std::vector<std::string> with_other_parts(const std::string& base);

  private:
    const std::vector<std::string>& names_in(std::string_view directory);
    std::map<std::string, std::vector<std::string>, std::less<>> names_;  // sorted, by directory
};

/// Whose files are looked for.
enum class Recorder : std::uint8_t {
    any,       ///< all that `callcost record` writes
    valgrind,  ///< callgrind.out.* and cachegrind.out.*
};
/// For messages: what is looked for.
constexpr std::string_view default_profiles = "callgrind.out.*, cprofile.out.*, ...";

/// The file that was written last of those named callgrind.out.*, cprofile.out.* and so on, or just so; the
/// first by name if several were. Empty ones count only if all are empty, callgrind.out.7.txt and the like
/// never. The path begins with `directory`, unless that is "" or ".".
[[nodiscard]] std::optional<std::string> newest_profile(const std::string& directory,
                                                        Recorder recorder = Recorder::any);

}  // namespace callcost::program
