#include "loading/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "history/entry_name.hpp"
#include "importers/import_steps.hpp"
#include "importers/importers.hpp"
#include "importers/known_formats.hpp"
#include "input/byte_queue.hpp"
#include "input/open.hpp"
#include "input/sets.hpp"
#include "loading/event_lines.hpp"
#include "loading/inlined_code.hpp"
#include "loading/memory.hpp"
#include "loading/perf_data.hpp"
#include "loading/run_files.hpp"
#include "terminal/progress.hpp"
#include "terminal/threads.hpp"
#include "text/diagnostics.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/shell.hpp"
#include <callcost/read.hpp>

namespace callcost::program {
namespace {

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
        if (error.code == ErrorCode::not_a_profile && error.advice.empty() && error.detail.empty())
            error.advice = "'callcost info --formats' lists the formats that are read";
        std::string text(line(error.line));
        return {file, std::move(error), std::move(text)};
    }

    /// Of files that are examined, not imported.
    void say_if_others_read_it(Error& error) const {
        if (error.code != ErrorCode::not_a_profile && error.code != ErrorCode::no_events) return;
        const auto format = engine::detect(text_);
        if (!format && !is_perf_data(text_)) return;
        error = {.code = ErrorCode::not_a_profile,
                 .detail = fmt::format(
                     "this is in the format {}, and check is for Callgrind's: 'callcost info' reads it",
                     format ? engine::to_string(*format) : "perf.data")};
    }

    [[nodiscard]] std::string_view text() const { return text_; }

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

/// Whether the beginning of a file says that its lines have addresses (F15).
bool has_addresses(std::string_view text) {
    constexpr std::string_view key = "positions:";
    const auto at = text.starts_with(key) ? 0 : text.find("\npositions:");
    return at != std::string_view::npos &&
           text.substr(at, text.find('\n', at + 1) - at).find("instr") != std::string_view::npos;
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
          detail_(detail) {}

    std::optional<Input> read(const std::vector<std::string>& files) {
        are_several_ = files.size() > 1;
        for (const auto& file : files) {
            if (is_usable_) add(file);
        }
        progress_.erase();
        report_imports();
        report_failures();
        report_empty_files(files);
        if (profiles_ == 0 || !is_usable_) return std::nullopt;
        if (!options_.with_parts) point_at_unnamed_parts(files, failed_, console_);
        return Input{std::move(*reader_).finish(),
                     std::move(not_profiles_),
                     failed_.empty(),
                     units_.difference(),
                     std::move(imported_by_source_),
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
        std::optional<ImportedFile> imported;
        if (source) keep_refusal(*source, refusal);
        if (source) source = as_text(*std::move(source), file);
        if (source && options_.on_bytes) tap(*source, options_.on_bytes);
        if (source) source = as_profile(*std::move(source), file, stacks, imported);
        if (source && !reader_) open_reader(*source);
        if (source) prefix.watch(*source);
        EventLines event_lines;
        if (source && are_several_) tap(*source, [&](std::string_view bytes) { event_lines.take(bytes); });
        auto result = source ? reader_->add(*source) : tl::unexpected(source.error());
        if (refusal) result = tl::unexpected(*refusal);
        if (result) {
            ++profiles_;
            // In the sum, event types of one name are one.
            if (are_several_) units_.add(in_quotes(file), event_lines.events(prefix.text()));
            stacks_.push_back(std::move(stacks));
            imported_by_source_.push_back(std::move(imported));
        } else if (result.error().code == ErrorCode::empty_file) {
            empty_files_.push_back(file);
        } else {
            failures_.push_back(prefix.failure(file, result.error()));
            is_usable_ = !refusal && result.error().code != ErrorCode::too_large &&
                         result.error().code != ErrorCode::cancelled;
        }
    }

    /// Inlined code is found by the addresses of records.
    void open_reader(Source& source) {
        if (options_.inlined == When::always || (options_.inlined == When::automatic &&
                                                 has_addresses(engine::peek(source, options_.longest_line))))
            detail_ = Detail::full;
        reader_.emplace(ReadOptions{.detail = detail_,
                                    .on_progress = on_progress(),
                                    .run_all = threads_.concurrency() > 1 ? threads_.run_all() : RunAll{},
                                    .concurrency = threads_.concurrency(),
                                    .longest_line = options_.longest_line});
    }

    /// The source, or what perf prints of its own file. Others do not know those that are compressed, and
    /// perf has to open the file itself.
    Result<Source> as_text(Source source, const std::string& file) {
        is_perf_data_ = false;
        first_bytes_ = engine::peek(source, options_.longest_line);
        std::error_code ignored;
        if (!is_perf_data(first_bytes_) || file == "-" || is_entry_name(file) ||
            !std::filesystem::is_regular_file(file, ignored))
            return source;
        if (source.consumed) return tl::unexpected(refusal_of_compressed_perf_data(file));
        auto text = perf_script_of(file, first_bytes_);
        if (!text) return source;
        is_perf_data_ = true;
        if (*text) first_bytes_ = engine::peek(**text, options_.longest_line);
        return *std::move(text);
    }

    /// The source, or its conversion if it is in another format.
    Result<Source> as_profile(Source source, const std::string& file, std::shared_ptr<Stacks>& stacks,
                              std::optional<ImportedFile>& imported_file) {
        auto format = engine::import_format(options_.from);
        if (!format) format = engine::detect(first_bytes_);
        if (!format) return source;
        if (options_.keeps_stacks) {
            stacks = std::make_shared<Stacks>();
            give_back_large_tables();
        }
        engine::WantedStacks wanted(stacks.get());
        const auto& selection = options_.selection;
        if (!selection.threads.empty() || !selection.pids.empty())
            wanted.of_thread = [&selection](std::optional<std::uint64_t> process, std::uint64_t thread) {
                const auto passes = [](const std::vector<std::uint64_t>& chosen, std::uint64_t number) {
                    return chosen.empty() || std::find(chosen.begin(), chosen.end(), number) != chosen.end();
                };
                return passes(selection.threads, thread) && passes(selection.pids, process.value_or(0));
            };
        const engine::ImportOptions how{.stacks = std::move(wanted),
                                        .find_names = names_from_programs(file, options_),
                                        .longest_line = options_.longest_line,
                                        .unknown_count_as_one = options_.unknown_count_as_one,
                                        .budget = options_.force ? engine::no_budget : engine::memory_budget};
        std::uint64_t bytes = 0;
        tap(source, [&](std::string_view block) { bytes += block.size(); });
        ByteQueue imported;
        auto notes = engine::import_stacks(*format, source, how, imported.sink());
        if (!notes) return tl::unexpected(notes.error());
        if (engine::are_stacks_estimated(*notes)) stacks.reset();
        if (stacks) stacks->pack();
        if (is_perf_data_) {
            notes->kind = "perf.data file";
            std::error_code failed;
            const auto size = std::filesystem::file_size(file, failed);
            if (!failed) bytes = size;
        }
        imported_file = ImportedFile{is_perf_data_ ? "perf.data" : std::string(engine::to_string(*format)),
                                     notes->kind, notes->producer, bytes};
        imported_.emplace_back(file, *std::move(notes));
        return imported.source(file);
    }

    /// Reports what an import could not preserve.
    void report_imports() {
        for (const auto& [file, notes] : imported_) {
            console_.say(Severity::note,
                         fmt::format("{}: {}", in_quotes(file),
                                     engine::display_name(engine::summary_of(notes, console_.err))),
                         engine::oddities_of(notes, console_.err));
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
        return "to annotate a source file name its profile, too: " +
               engine::quoted_command(
                   {"callcost", "annotate", newest_profile("").value_or("PROFILE"), failure.file});
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
        for (const auto& file : empty_files_) {
            const auto parts = file == "-" ? std::vector<std::string>{} : sets.other_parts(file);
            const auto unnamed = without(parts, files);
            if (unnamed.size() < parts.size()) {
                console_.say(Severity::note, fmt::format("{} is empty, skipped", in_quotes(file)));
            } else if (parts.empty()) {
                report({file, error, {}});
            } else {
                report({file, error, {}},
                       fmt::format("its data are in {}; --with-parts reads them", listed_files(parts)));
            }
        }
    }

    const InputOptions& options_;
    const Console& console_;
    ProgressReport progress_;
    const OnReading& on_reading_;
    std::string file_;           // that is being read
    std::string first_bytes_;    // of it, enough to tell its format
    bool is_perf_data_ = false;  // read as what perf prints of it
    ThreadPool threads_;
    Detail detail_;
    std::optional<ProfileReader> reader_;  // there is one when there is a source
    bool is_usable_ = true;                // the reader
    bool are_several_ = false;
    EventUnits units_;
    std::size_t profiles_ = 0;
    std::vector<std::pair<std::string, engine::ImportNotes>> imported_;
    StacksOfSources stacks_;
    std::vector<std::optional<ImportedFile>> imported_by_source_;
    std::vector<Failure> failures_;
    std::vector<std::string> empty_files_;
    std::vector<Failure> not_profiles_;
    std::vector<std::string> failed_;
};

}  // namespace

void EventUnits::add(const std::string& place, std::span<const EventType> events) {
    for (const EventType& event : events) {
        if (event.unit.empty()) continue;
        const auto& first = units_.try_emplace(event.name, Unit{event.unit, place}).first->second;
        if (first.unit != event.unit && difference_.empty())
            difference_ = fmt::format("{} is in {} in {} and in {} in {}", engine::display_name(event.name),
                                      engine::display_name(first.unit), first.place,
                                      engine::display_name(event.unit), place);
    }
}

void report(const Console& console, const Failure& failure, std::string_view better_hint) {
    std::error_code ignored;
    const auto none = fmt::format("there is no profile in it ({})", default_profiles);
    if (better_hint.empty() && std::filesystem::is_directory(failure.file, ignored)) better_hint = none;
    std::string text;
    engine::write_error(text, failure.error, failure.file == "-" ? "standard input" : failure.file,
                        console.err, failure.line, better_hint);
    console.print_error(text);
}

std::optional<Input> read_input(const InputOptions& options, const Console& console, Detail detail,
                                const OnReading& on_reading) {
    std::vector<std::string> files;
    for (auto& set : file_sets(options, console))
        files.insert(files.end(), std::make_move_iterator(set.begin()), std::make_move_iterator(set.end()));
    if (files.empty()) return std::nullopt;
    auto input = InputReading(options, console, detail, on_reading).read(files);
    if (input) trim_memory(input->profile);
    return input;
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
SourceFinderOptions file_search(const std::string& file, const SourceSearchOptions& options) {
    SourceFinderOptions wanted;
    wanted.include_dirs = options.include_directories;
    wanted.source_map = options.source_map;
    if (!file.empty()) wanted.profile_directory = std::filesystem::path(file).parent_path().string();
    return wanted;
}

/// Empty: it is none.
std::string first_file(const Profile& profile) {
    const auto sources = profile.sources();
    return sources.empty() || engine::is_standard_input(sources.front()) ? std::string()
                                                                         : sources.front().name;
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

SourceFinderOptions program_search(const std::string& file, const SourceSearchOptions& options) {
    auto wanted = file_search(file, options);
    wanted.is_confined = wanted.ignores_elsewhere = environment("CALLCOST_SOURCES") == "near";
    return wanted;
}

SourceFinderOptions program_search(const Profile& profile, const SourceSearchOptions& options) {
    return program_search(first_file(profile), options);
}

SourceFinderOptions source_search(const Profile& profile, const SourceSearchOptions& options) {
    auto wanted = program_search(profile, options);
    const auto sources = profile.sources();
    if (!sources.empty())
        if (auto commit = commit_of(sources.front().name)) wanted.commits.push_back(std::move(commit));
    return wanted;
}

DisassemblerOptions code_search(const Profile& profile, const SourceSearchOptions& options) {
    DisassemblerOptions wanted;
    wanted.search = file_search(first_file(profile), options);
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

Examination examine(const std::vector<std::string>& files, const InputOptions& options,
                    const Console& console) {
    Examination examined;
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
        Error error = result.error();
        prefix.say_if_others_read_it(error);
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
