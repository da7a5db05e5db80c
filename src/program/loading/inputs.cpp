#include "loading/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "history/entry_name.hpp"
#include "importers/importers.hpp"
#include "importers/known_formats.hpp"
#include "input/byte_queue.hpp"
#include "input/open.hpp"
#include "input/sets.hpp"
#include "loading/memory.hpp"
#include "loading/run_identity.hpp"
#include "terminal/progress.hpp"
#include "terminal/threads.hpp"
#include "text/diagnostics.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/read.hpp>

namespace callcost::program {
namespace {

std::string in_quotes(std::string_view path) { return fmt::format("'{}'", engine::display_name(path)); }

/// The first few names in a sentence.
std::string listed(const std::vector<std::string>& paths) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(paths.size(), most); ++i)
        text += (i > 0 ? ", " : "") + engine::display_name(paths[i]);
    if (paths.size() > most) text += ", ...";
    return text;
}

/// The base of the set that a file is from, if more of that set is there; else the file.
std::string run_of(const std::string& file, FileSets& sets) {
    auto base = base_of(file);
    return sets.other_parts(base).empty() ? file : base;
}

/// Takes the files out that say that they are of another run than `file`, whatever their names are (F87).
/// `say` gets each of them and the reason.
template <class Say>
void drop_other_runs(std::vector<std::string>& others, const std::string& file, Say say) {
    if (others.empty()) return;
    auto identity = run_identity(file);
    std::erase_if(others, [&](const std::string& other) {
        if (other == file) return false;
        auto its = run_identity(other);
        const auto reason = difference(its, identity);
        if (!reason.empty()) say(other, reason);
        if (!reason.empty()) return true;
        if (identity.pid.empty()) identity.pid = std::move(its.pid);  // an empty base says nothing
        if (identity.command.empty()) identity.command = std::move(its.command);
        return false;
    });
}

/// Adds the other dumps of the run behind their base.
std::vector<std::string> with_parts(const std::vector<std::string>& bases, const Console& console) {
    std::vector<std::string> files;
    std::unordered_set<std::string> taken;
    FileSets sets;
    for (const auto& base : bases) {
        auto set = base == "-" ? std::vector{base} : sets.with_other_parts(run_of(base, sets));
        drop_other_runs(set, base, [&](const std::string& other, const std::string& reason) {
            console.say(Severity::warning,
                        fmt::format("{} is not read: it is of another run ({})", in_quotes(other), reason),
                        "name it to read it, too");
        });
        std::error_code ignored;
        if (!set.empty() && std::find(set.begin(), set.end(), base) == set.end() &&
            std::filesystem::exists(base, ignored)) {
            console.say(Severity::note, fmt::format("{} is empty, skipped; its data are in {}",
                                                    in_quotes(base), listed(set)));
        }
        if (set.empty()) set = {base};
        for (auto& file : set)
            if (taken.insert(file).second) files.push_back(std::move(file));
    }
    return files;
}

/// The files of the newest run in a directory; empty: none.
std::vector<std::string> newest_run(const std::string& directory, const Console& console) {
    const auto newest = newest_profile(directory);
    if (!newest) return {};
    auto files = with_parts(std::vector{*newest}, console);
    const auto* more = files.size() == 1 ? "" : " and the other files of its run";
    console.say(Severity::note,
                fmt::format("reading {}{}, the newest profile in {}", in_quotes(*newest), more,
                            directory.empty() ? "this directory" : in_quotes(directory)));
    return files;
}

/// Of a directory the newest run; without any, that of this directory.
std::vector<std::string> files_of(const InputOptions& options, const Console& console) {
    if (options.files.empty()) {
        auto files = newest_run("", console);
        if (files.empty())
            console.say(Severity::error,
                        "no profile given, and no callgrind.out.* or cachegrind.out.* in this directory",
                        "'callcost record PROGRAM' makes one; 'callcost --help' lists the commands");
        return files;
    }
    std::vector<std::string> files;
    for (const auto& file : options.files) {
        std::error_code ignored;
        auto run = std::filesystem::is_directory(file, ignored) ? newest_run(file, console)
                                                                : std::vector<std::string>();
        if (run.empty()) run = {file};
        files.insert(files.end(), run.begin(), run.end());
    }
    return files;
}

using Names = std::unordered_set<std::string>;

Names names_of(const std::vector<std::string>& files) { return {files.begin(), files.end()}; }

std::vector<std::string> without(std::vector<std::string> files, const Names& others) {
    std::erase_if(files, [&](const auto& file) { return others.contains(file); });
    return files;
}

/// They are never added silently: they may be from another run (F87).
void point_at_unnamed_parts(const std::vector<std::string>& files, const std::vector<std::string>& failed,
                            const Console& console) {
    if (console.quiet) return;
    FileSets sets;
    Names told;  // runs
    const auto named = names_of(files);
    for (const auto& file : without(files, names_of(failed))) {
        if (file == "-") continue;
        const auto run = run_of(file, sets);
        if (!told.insert(run).second) continue;
        auto others = without(run == file ? sets.other_parts(file) : sets.with_other_parts(run), named);
        drop_other_runs(others, file, [](const auto&...) {});
        std::erase_if(others, [&](const auto& other) { return is_empty_base(other, files); });
        if (others.empty()) continue;
        const bool is_one = others.size() == 1;
        console.say(Severity::note,
                    fmt::format("{} beside {} {} not read: {}",
                                engine::counted(others.size(), "more file", console.err), in_quotes(file),
                                is_one ? "is" : "are", listed(others)),
                    fmt::format("--with-parts adds {}", is_one ? "it" : "them"));
    }
}

/// Keeps the first bytes of an input while it is read, so that errors can name it and quote the offending
/// line.
class InputPrefix {
  public:
    /// The source must not outlive this.
    void watch(Source& source) {
        text_.clear();
        source.read = [this, read = std::move(source.read)](std::span<char> buffer) {
            auto count = read(buffer);
            if (count) text_.append(buffer.data(), std::min(*count, max_bytes - text_.size()));
            return count;
        };
    }

    /// Why the input could not be read.
    [[nodiscard]] Failure failure(const std::string& file, Error error) const {
        engine::name_file_kind(error, text_, file);
        std::string text(line(error.line));
        return {file, std::move(error), std::move(text)};
    }

  private:
    /// Counted from 1; empty beyond the kept bytes.
    [[nodiscard]] std::string_view line(std::uint64_t number) const {
        std::string_view rest = text_;
        for (std::uint64_t i = 1; i < number && !rest.empty(); ++i)
            rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
        return number == 0 ? std::string_view() : rest.substr(0, rest.find_first_of("\r\n"));
    }

    static constexpr std::size_t max_bytes = std::size_t{64} * 1024;
    std::string text_;
};

/// Reads enough of a source to detect its format, and puts it back: of text two lines at least, unless they
/// are too long, or longer than 1 GiB.
std::string peek(Source& source, std::uint64_t longest_line) {
    constexpr std::size_t usual = std::size_t{16} * 1024, most = std::size_t{1} << 30U;
    std::string text;
    std::size_t size = 0;
    std::optional<Error> failure;
    bool is_at_end = false;
    const auto is_enough = [&] {
        return text.size() >= usual && (text.size() >= std::min<std::uint64_t>(longest_line, most) ||
                                        !engine::is_cut_short({text.data(), size}));
    };
    while (!is_at_end && !failure && !is_enough()) {
        text.resize(std::max(usual, 2 * text.size()));
        while (size < text.size() && !is_at_end && !failure) {
            const auto count = source.read(std::span(text).subspan(size));
            if (!count) {
                failure = count.error();
            } else {
                is_at_end = *count == 0;
                size += *count;
            }
        }
    }
    text.resize(size);
    source.read = [text, at = std::size_t{0}, failure = std::move(failure),
                   read = std::move(source.read)](std::span<char> buffer) mutable -> Result<std::size_t> {
        const auto count = std::min(buffer.size(), text.size() - at);
        std::copy_n(text.data() + at, count, buffer.data());
        at += count;
        if (count > 0) return count;
        if (failure) return tl::unexpected(*failure);
        return read(buffer);
    };
    return text;
}

/// Keeps why no more is read, which is no damage of the file: a profile of its beginning would be wrong.
void keep_refusal(Source& source, std::optional<Error>& refusal) {
    source.read = [&refusal, read = std::move(source.read)](std::span<char> buffer) {
        auto count = read(buffer);
        const auto code = count ? ErrorCode::cancelled : count.error().code;
        if (code == ErrorCode::too_large || code == ErrorCode::read_failed) refusal = count.error();
        return count;
    };
}

/// `take` gets all bytes that are read.
void tap(Source& source, const std::function<void(std::string_view)>& take) {
    source.read = [take, read = std::move(source.read)](std::span<char> buffer) {
        auto count = read(buffer);
        if (count) take({buffer.data(), *count});
        return count;
    };
}

class InputReading {
  public:
    InputReading(const InputOptions& options, const Console& console, Detail detail,
                 const OnReading& on_reading)
        : options_(options),
          console_(console),
          progress_(console),
          on_reading_(on_reading),
          threads_(options.threads > 0 ? options.threads : default_concurrency()),
          reader_({.detail = detail,
                   .on_progress = on_progress(),
                   .run_all = threads_.concurrency() > 1 ? threads_.run_all() : RunAll{},
                   .concurrency = threads_.concurrency(),
                   .longest_line = options.longest_line}) {}

    std::optional<Input> read(const std::vector<std::string>& files) {
        for (const auto& file : files) {
            if (is_usable_) add(file);
        }
        progress_.erase();
        report_imports();
        report_failures();
        report_empty_files(files);
        if (profiles_ == 0 || !is_usable_) return std::nullopt;
        if (!options_.with_parts) point_at_unnamed_parts(files, failed_, console_);
        return Input{std::move(reader_).finish(), std::move(not_profiles_), failed_.empty(),
                     options_.keeps_stacks ? std::move(stacks_) : StacksOfSources()};
    }

  private:
    /// The progress callback.
    OnProgress on_progress() {
        if (!on_reading_) return progress_.callback();
        return [this, line = progress_.callback()](const Progress& progress) {
            on_reading_(file_, progress);
            return !line || line(progress);
        };
    }

    void add(const std::string& file) {
        file_ = file;
        progress_.set_name(file == "-" ? "standard input" : file);
        if (on_reading_) on_reading_(file, {});
        InputPrefix prefix;
        auto source = is_entry_name(file)
                          ? open_entry(file, options_.store)
                          : open_source(file, {.only_regular = options_.only_regular_files,
                                               .force = options_.force,
                                               .decompress_on_thread = threads_.concurrency() > 1});
        std::optional<Error> refusal;
        std::shared_ptr<Stacks> stacks;
        if (source) keep_refusal(*source, refusal);
        if (source && options_.on_bytes) tap(*source, options_.on_bytes);
        if (source) source = as_profile(*std::move(source), file, stacks);
        if (source) prefix.watch(*source);
        auto result = source ? reader_.add(*source) : tl::unexpected(source.error());
        if (refusal) result = tl::unexpected(*refusal);
        if (result) {
            ++profiles_;
            stacks_.push_back(std::move(stacks));
        } else if (result.error().code == ErrorCode::empty_file) {
            empty_files_.push_back(file);
        } else {
            failures_.push_back(prefix.failure(file, result.error()));
            is_usable_ = !refusal && result.error().code != ErrorCode::too_large &&
                         result.error().code != ErrorCode::cancelled;
        }
    }

    /// The source, or its conversion if it is in another format.
    Result<Source> as_profile(Source source, const std::string& file, std::shared_ptr<Stacks>& stacks) {
        auto format = engine::import_format(options_.from);
        if (!format) format = engine::detect(peek(source, options_.longest_line));
        if (!format) return source;
        if (options_.keeps_stacks) {
            stacks = std::make_shared<Stacks>();
            give_back_large_tables();
        }
        const engine::ImportOptions how{.stacks = stacks.get(),
                                        .longest_line = options_.longest_line,
                                        .unknown_count_as_one = options_.unknown_count_as_one,
                                        .budget = options_.force ? engine::no_budget : engine::memory_budget};
        ByteQueue imported;
        const auto notes = engine::import_stacks(*format, source, how, imported.sink());
        if (!notes) return tl::unexpected(notes.error());
        if (engine::are_stacks_estimated(*notes)) stacks.reset();
        if (stacks) stacks->pack();
        imported_.emplace_back(file, *notes);
        return imported.source(file);
    }

    /// Reports what an import could not preserve.
    void report_imports() {
        for (const auto& [file, notes] : imported_) {
            std::string text;
            for (const auto& note : notes.notes) {
                if (!text.empty()) text += ", ";
                auto what = std::string(engine::to_string(note.what));
                std::replace(what.begin(), what.end(), '-', ' ');
                text += fmt::format("{}: {}", what, note.count);
            }
            console_.say(Severity::note,
                         fmt::format("{}: {} of {}", in_quotes(file),
                                     engine::counted(notes.samples, "stack", console_.err),
                                     engine::to_string(notes.format)),
                         text);
        }
    }

    void report_failures() {
        for (auto& failure : failures_) {
            if (may_name_source(failure))
                not_profiles_.push_back(std::move(failure));
            else
                report(failure, source_hint(failure));
        }
    }

    [[nodiscard]] static bool may_be_source(const Failure& failure) {
        std::error_code ignored;
        return failure.error.code == ErrorCode::not_a_profile || failure.error.code == ErrorCode::no_events ||
               (failure.error.code == ErrorCode::cannot_open &&
                !std::filesystem::exists(failure.file, ignored));
    }

    /// Whoever has `annotate` a source file only has to name its profile, too.
    [[nodiscard]] std::string source_hint(const Failure& failure) const {
        if (!options_.may_name_sources || failure.file == "-" || !may_be_source(failure)) return {};
        return fmt::format("to annotate a source file name its profile, too: 'callcost annotate {} {}'",
                           engine::display_name(newest_profile("").value_or("PROFILE")),
                           engine::display_name(failure.file));
    }

    /// For `annotate`, an input that is not a profile may name a source file, if there is also a profile.
    [[nodiscard]] bool may_name_source(const Failure& failure) const {
        return options_.may_name_sources && profiles_ > 0 && may_be_source(failure);
    }

    void report(const Failure& failure, std::string_view better_hint = {}) {
        program::report(console_, failure, better_hint);
        failed_.push_back(failure.file);
    }

    /// Callgrind leaves an empty file where each thread has one of its own: no loss if those are read.
    void report_empty_files(const std::vector<std::string>& files) {
        Error error;
        error.code = ErrorCode::empty_file;
        FileSets sets;
        const auto named = names_of(files);
        for (const auto& file : empty_files_) {
            const auto parts = file == "-" ? std::vector<std::string>{} : sets.other_parts(file);
            const auto unnamed = without(parts, named);
            if (unnamed.size() < parts.size()) {
                console_.say(Severity::note, fmt::format("{} is empty, skipped", in_quotes(file)));
            } else if (parts.empty()) {
                report({file, error, {}});
            } else {
                report({file, error, {}},
                       fmt::format("its data are in {}; --with-parts reads them", listed(parts)));
            }
        }
    }

    const InputOptions& options_;
    const Console& console_;
    ProgressReport progress_;
    const OnReading& on_reading_;
    std::string file_;  // that is being read
    ThreadPool threads_;
    ProfileReader reader_;
    bool is_usable_ = true;  // the reader
    std::size_t profiles_ = 0;
    std::vector<std::pair<std::string, engine::ImportNotes>> imported_;
    StacksOfSources stacks_;
    std::vector<Failure> failures_;
    std::vector<std::string> empty_files_;
    std::vector<Failure> not_profiles_;
    std::vector<std::string> failed_;
};

}  // namespace

void report(const Console& console, const Failure& failure, std::string_view better_hint) {
    if (better_hint.empty() && failure.error.code == ErrorCode::cannot_open &&
        failure.error.detail == "is a directory")
        better_hint = "there is no callgrind.out.* or cachegrind.out.* in it";
    std::string text;
    engine::write_error(text, failure.error, failure.file == "-" ? "standard input" : failure.file,
                        console.err, failure.line, better_hint);
    console.print_error(text);
}

std::optional<Input> read_input(const InputOptions& options, const Console& console, Detail detail,
                                const OnReading& on_reading) {
    auto files = files_of(options, console);
    if (files.empty()) return std::nullopt;
    if (options.with_parts) files = with_parts(files, console);
    auto input = InputReading(options, console, detail, on_reading).read(files);
    if (input) trim_memory(input->profile);
    return input;
}

std::vector<std::string> other_files_of_runs(const std::vector<std::string>& files) {
    std::vector<std::string> others;
    auto known = names_of(files);
    FileSets sets;
    for (const auto& file : files) {
        if (file == "-") continue;
        auto set = without(sets.with_other_parts(run_of(file, sets)), known);
        drop_other_runs(set, file, [](const auto&...) {});
        for (auto& other : set)
            if (known.insert(other).second) others.push_back(std::move(other));
    }
    return others;
}

namespace {

/// That an entry of a history was measured at, if this is its repository.
std::shared_ptr<const GitCommit> commit_of(const std::string& source) {
    if (!is_entry_name(source)) return nullptr;
    const auto name = parse_entry_name(source);
    if (!name || name->choice.commit.empty() || name->choice.is_modified) return nullptr;
    auto commit = GitCommit::open(name->choice.commit);
    return commit ? std::make_shared<const GitCommit>(*std::move(commit)) : nullptr;
}

/// Where programs are searched, too: no commit has them.
SourceFinderOptions file_search(const Profile& profile, const SourceSearchOptions& options) {
    SourceFinderOptions wanted;
    wanted.include_dirs = options.include_directories;
    wanted.source_map = options.source_map;
    const auto sources = profile.sources();
    if (!sources.empty() && !engine::is_standard_input(sources.front())) {
        wanted.profile_directory = std::filesystem::path(sources.front().name).parent_path().string();
    }
    return wanted;
}

/// The lowest addresses of some functions of an object.
std::vector<KnownFunction> known_functions(const Profile& profile, std::string_view object) {
    constexpr std::size_t most = 64;
    const ContextNames contexts(profile);
    std::vector<KnownFunction> known;
    for (std::size_t row = 0; row < profile.function_count() && known.size() < most; ++row) {
        const FunctionId function(row);
        if (profile.name(profile.object(function)) != object || !profile.has_records(function)) continue;
        auto lowest = std::numeric_limits<std::uint64_t>::max();
        auto cursor = profile.records(function);
        for (Record record; cursor.next(record);)
            if (record.kind == Record::Kind::cost && record.address != 0)
                lowest = std::min(lowest, record.address);
        if (lowest != std::numeric_limits<std::uint64_t>::max())
            known.push_back({std::string(contexts.split(function).name), lowest});
    }
    return known;
}

}  // namespace

SourceFinderOptions source_search(const Profile& profile, const SourceSearchOptions& options) {
    auto wanted = file_search(profile, options);
    wanted.is_confined = wanted.ignores_elsewhere = environment("CALLCOST_SOURCES") == "near";
    const auto sources = profile.sources();
    if (!sources.empty())
        if (auto commit = commit_of(sources.front().name)) wanted.commits.push_back(std::move(commit));
    return wanted;
}

DisassemblerOptions code_search(const Profile& profile, const SourceSearchOptions& options) {
    DisassemblerOptions wanted;
    wanted.search = file_search(profile, options);
    wanted.system_root = environment("SYSROOT").value_or("");
    wanted.program =
        options.disassembler.empty() ? environment("OBJDUMP").value_or("") : options.disassembler;
    wanted.profile_time = profile_time(profile);
    wanted.known_functions = [profile](std::string_view object) { return known_functions(profile, object); };
    return wanted;
}

std::optional<FileTime> profile_time(const Profile& profile) {
    std::optional<FileTime> oldest;
    for (const auto& source : profile.sources()) {
        const auto time = engine::is_standard_input(source) ? std::nullopt : modification_time(source.name);
        if (time && (!oldest || *time < *oldest)) oldest = time;
    }
    return oldest;
}

std::vector<std::vector<std::string>> file_sets(const InputOptions& options, const Console& console) {
    std::vector<std::vector<std::string>> sets;
    Names taken;
    if (options.files.empty())
        if (auto run = files_of(options, console); !run.empty()) sets.push_back(std::move(run));
    for (const auto& file : options.files) {
        std::error_code ignored;
        if (std::filesystem::is_directory(file, ignored))
            if (auto run = newest_run(file, console); !run.empty()) {
                sets.push_back(std::move(run));
                continue;
            }
        if (!options.with_parts) {
            sets.emplace_back(1, file);
            continue;
        }
        auto set = without(with_parts(std::vector{file}, console), taken);
        taken.insert(set.begin(), set.end());
        if (!set.empty()) sets.push_back(std::move(set));
    }
    return sets;
}

bool is_empty_base(const std::string& file, const std::vector<std::string>& named) {
    std::error_code problem;
    if (file == "-" || std::filesystem::file_size(file, problem) != 0 || problem) return false;
    const auto parts = FileSets().other_parts(file);
    return without(parts, names_of(named)).size() < parts.size();
}

Examined examine(const std::vector<std::string>& files, const InputOptions& options, const Console& console) {
    Examined examined;
    ProgressReport progress(console);
    ThreadPool threads(options.threads > 0 ? options.threads : default_concurrency());
    ProfileReader reader({.detail = Detail::functions,
                          .on_progress = progress.callback(),
                          .run_all = threads.concurrency() > 1 ? threads.run_all() : RunAll{},
                          .concurrency = threads.concurrency(),
                          .longest_line = options.longest_line});
    for (const auto& file : files) {
        progress.set_name(file == "-" ? "standard input" : file);
        InputPrefix prefix;
        Spelling spelling(static_cast<std::uint32_t>(examined.spellings.size()));
        auto source = is_entry_name(file)
                          ? open_entry(file, options.store)
                          : open_source(file, {.force = options.force,
                                               .decompress_on_thread = threads.concurrency() > 1});
        std::optional<Error> refusal;
        if (source) {
            keep_refusal(*source, refusal);
            prefix.watch(*source);
            if (source->consumed) spelling.note_compressed();
            source->read = [&spelling, read = std::move(source->read)](std::span<char> buffer) {
                auto count = read(buffer);
                if (count) spelling.take(buffer.first(*count));
                return count;
            };
        }
        auto result = source ? reader.add(*source) : tl::unexpected(source.error());
        if (refusal) result = tl::unexpected(*refusal);
        if (result) {
            spelling.finish();
            examined.spellings.push_back(std::move(spelling));
            continue;
        }
        const auto& error = result.error();
        const bool has_parts =
            error.code == ErrorCode::empty_file && file != "-" && !FileSets().other_parts(file).empty();
        examined.failures.push_back(prefix.failure(file, error));
        examined.failures.back().has_parts = has_parts;
        if (error.code == ErrorCode::too_large || error.code == ErrorCode::cancelled) break;
    }
    progress.erase();
    if (!examined.spellings.empty()) examined.profile = std::move(reader).finish();
    return examined;
}

}  // namespace callcost::program
