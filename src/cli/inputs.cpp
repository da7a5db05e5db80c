#include "cli/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "cli/progress.hpp"
#include "cli/threads.hpp"
#include "input/open.hpp"
#include "input/sets.hpp"
#include "render/diagnostics.hpp"
#include "render/names.hpp"
#include "render/numbers.hpp"
#include <callcost/read.hpp>

namespace callcost::cli {
namespace {

std::string in_quotes(std::string_view path) { return fmt::format("'{}'", render::display_name(path)); }

/// The first few names in a sentence.
std::string listed(const std::vector<std::string>& paths) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(paths.size(), most); ++i) {
        if (i > 0) text += ", ";
        text += render::display_name(paths[i]);
    }
    if (paths.size() > most) text += ", ...";
    return text;
}

std::optional<std::vector<std::string>> named_or_newest(const Options& options, const Console& console) {
    if (!options.files.empty()) return options.files;
    auto newest = input::newest_profile("");
    if (!newest) {
        console.say(Severity::error,
                    "no profile is named, and there is no callgrind.out.* or cachegrind.out.* here",
                    "'callcost --help' says how to start");
        return std::nullopt;
    }
    console.say(Severity::note, fmt::format("reading {}, the newest profile here", in_quotes(*newest)));
    return std::vector{*std::move(newest)};
}

/// Adds the other dumps of the run behind their base.
std::vector<std::string> with_parts(const std::vector<std::string>& bases, const Console& console) {
    std::vector<std::string> files;
    for (const auto& base : bases) {
        auto set = base == "-" ? std::vector{base} : input::with_other_parts(base);
        std::error_code ignored;
        if (!set.empty() && std::find(set.begin(), set.end(), base) == set.end() &&
            std::filesystem::exists(base, ignored)) {
            console.say(Severity::note, fmt::format("{} is empty and left out; its data are in {}",
                                                    in_quotes(base), listed(set)));
        }
        if (set.empty()) set = {base};
        for (auto& file : set) {
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(std::move(file));
        }
    }
    return files;
}

std::vector<std::string> without(std::vector<std::string> files, const std::vector<std::string>& others) {
    std::erase_if(files, [&](const auto& file) {
        return std::find(others.begin(), others.end(), file) != others.end();
    });
    return files;
}

/// They are never taken silently: they may be of another run (F87).
void point_at_unnamed_parts(const std::vector<std::string>& files, const std::vector<std::string>& failed,
                            const Console& console) {
    if (console.quiet) return;
    for (const auto& file : without(files, failed)) {
        if (file == "-") continue;
        const auto others = without(input::other_parts(file), files);
        if (others.empty()) continue;
        const bool is_one = others.size() == 1;
        console.say(Severity::note,
                    fmt::format("{} beside {} {} not counted: {}",
                                render::counted(others.size(), "more file", console.err), in_quotes(file),
                                is_one ? "is" : "are", listed(others)),
                    fmt::format("--with-parts adds {} up", is_one ? "it" : "them"));
    }
}

class InputReading {
  public:
    InputReading(const Options& options, const Console& console, Detail detail)
        : options_(options),
          console_(console),
          progress_(console, options.progress),
          threads_(options.threads > 0 ? options.threads : usual_concurrency()),
          reader_({.detail = detail,
                   .on_progress = progress_.callback(),
                   .run_all = threads_.concurrency() > 1 ? threads_.run_all() : RunAll{},
                   .concurrency = threads_.concurrency()}) {}

    std::optional<Input> read(const std::vector<std::string>& files) {
        for (const auto& file : files) {
            if (is_usable_) add(file);
        }
        progress_.erase();
        report_failures();
        report_empty_files(files);
        if (profiles_ == 0 || !is_usable_) return std::nullopt;
        if (!options_.with_parts) point_at_unnamed_parts(files, failed_, console_);
        return Input{std::move(reader_).finish(), std::move(not_profiles_), failed_.empty()};
    }

  private:
    void add(const std::string& file) {
        progress_.set_name(file == "-" ? "standard input" : file);
        auto source = input::open_source(file, {.decompress_on_thread = threads_.concurrency() > 1});
        const auto result = source ? reader_.add(*source) : tl::unexpected(source.error());
        if (result) {
            ++profiles_;
        } else if (result.error().code == ErrorCode::empty_file) {
            empty_files_.push_back(file);
        } else {
            failures_.emplace_back(file, result.error());
            is_usable_ =
                result.error().code != ErrorCode::too_large && result.error().code != ErrorCode::cancelled;
        }
    }

    /// To `annotate`, what is no profile names a source file, if there is a profile besides.
    void report_failures() {
        for (const auto& [file, error] : failures_) {
            if (options_.command == Command::annotate && profiles_ > 0) {
                not_profiles_.push_back(file);
            } else {
                report(file, error);
            }
        }
    }

    void report(const std::string& file, const Error& error, std::string_view better_hint = {}) {
        std::string text;
        render::write_error(text, error, file == "-" ? "standard input" : file, console_.err, better_hint);
        console_.print_error(text);
        failed_.push_back(file);
    }

    /// Callgrind leaves an empty file where each thread has one of its own: no loss if those are read.
    void report_empty_files(const std::vector<std::string>& files) {
        Error error;
        error.code = ErrorCode::empty_file;
        for (const auto& file : empty_files_) {
            const auto parts = file == "-" ? std::vector<std::string>{} : input::other_parts(file);
            const auto unnamed = without(parts, files);
            if (unnamed.size() < parts.size()) {
                console_.say(Severity::note, fmt::format("{} is empty and left out", in_quotes(file)));
            } else if (parts.empty()) {
                report(file, error);
            } else {
                report(file, error,
                       fmt::format("its data are in {}; --with-parts reads them", listed(parts)));
            }
        }
    }

    const Options& options_;
    const Console& console_;
    ProgressReport progress_;
    ThreadPool threads_;
    ProfileReader reader_;
    bool is_usable_ = true;  // the reader
    std::size_t profiles_ = 0;
    std::vector<std::pair<std::string, Error>> failures_;
    std::vector<std::string> empty_files_;
    std::vector<std::string> not_profiles_;
    std::vector<std::string> failed_;
};

}  // namespace

std::optional<Input> read_input(const Options& options, const Console& console, Detail detail) {
    auto files = named_or_newest(options, console);
    if (!files) return std::nullopt;
    if (options.with_parts) *files = with_parts(*files, console);
    return InputReading(options, console, detail).read(*files);
}

}  // namespace callcost::cli
