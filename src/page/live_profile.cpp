#include "page/live_profile.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <sys/stat.h>

#include "answer/json_text.hpp"
#include "answer/question.hpp"
#include "cli/inputs.hpp"

namespace callcost::page {
namespace {

using cli::Exit;
using Names = std::vector<std::string>;

std::string asked(std::string_view question) { return std::string(answer::Question(question).text("ask")); }

std::string error_answer(std::string_view id, std::string_view message, std::string_view hint) {
    std::string text;
    answer::JsonText json(text);
    json.begin_object();
    json.key("error");
    json.begin_object();
    json.member("id", id);
    json.member("message", message);
    json.member("hint", hint);
    json.end_object();
    json.end_object();
    return text;
}

bool has_changed(const FileMark& mark) { return FileMark::of(mark.path) != mark; }

bool is_among(const Names& files, const std::string& file) {
    return std::find(files.begin(), files.end(), file) != files.end();
}

/// Those of the same runs, but for these.
Names new_files(const Names& files, const Names& known) {
    auto others = cli::other_files_of_runs(files);
    std::erase_if(others, [&](const auto& file) { return is_among(known, file); });
    return others;
}

}  // namespace

FileMark FileMark::of(const std::string& path) {
    FileMark mark;
    mark.path = path;
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return mark;
    mark.exists = true;
    mark.device = facts.st_dev;
    mark.inode = facts.st_ino;
    mark.size = static_cast<std::uint64_t>(facts.st_size);
    mark.seconds = facts.st_mtim.tv_sec;
    mark.nanoseconds = facts.st_mtim.tv_nsec;
    return mark;
}

LiveProfile::LiveProfile(const cli::Options& options, const cli::Console& console)
    : options_(options), console_(console) {
    sides_.after.files = options.files;
    if (!options.page.before.empty()) sides_.before = Side{options.page.before, std::nullopt, {}};
}

tl::expected<Exit, Exit> LiveProfile::read() {
    const std::lock_guard only(reading_);
    auto read = sides();
    auto session = read_sides(read, console_);
    if (!session) return tl::unexpected(session.error());
    put(*std::move(session), std::move(read));
    return exit_;
}

bool LiveProfile::is_read_within(std::chrono::milliseconds time) {
    std::unique_lock lock(state_);
    return is_read_changed_.wait_for(lock, time, [&] { return is_read_; });
}

std::string LiveProfile::answer(std::string_view question, const std::function<bool()>& is_wanted) {
    try {
        const auto ask = asked(question);
        if (ask == "status") return status();
        {
            std::unique_lock lock(state_);
            is_read_changed_.wait(lock, [&] { return is_read_; });
        }
        if (ask == "reload") return reload();
        const std::lock_guard only(asking_);
        return is_wanted() ? session_->answer(question) : std::string();
    } catch (const std::bad_alloc&) {
        return error_answer("too-large", "there is not memory enough for the answer", "ask for less");
    }
}

tl::expected<answer::Session, Exit> LiveProfile::read_sides(Sides& read, const cli::Console& console) {
    std::optional<OpenedProfile> before;
    if (read.before) {
        auto opened = read_side(*read.before, console);
        if (!opened) return tl::unexpected(opened.error());
        before = *std::move(opened);
    }
    auto after = read_side(read.after, console);
    if (!after) return tl::unexpected(after.error());
    OpenedSides opened{*std::move(after), std::move(before)};
    exit_ = opened.exit();
    std::optional<Profile> profile_before;
    if (opened.before) profile_before = opened.before->profile;
    return answer::Session(opened.after.profile, std::move(profile_before),
                           surroundings_of(opened, options_));
}

tl::expected<OpenedProfile, Exit> LiveProfile::read_side(Side& side, const cli::Console& console) {
    side.marks.clear();
    auto opened = open_profile(options_, side.files, console, [&](const auto& file, const auto& progress) {
        // Before the file is opened: what changes or comes while it is read does so later.
        if (side.marks.empty() || side.marks.back().path != file) side.marks.push_back(FileMark::of(file));
        if (!side.known_files) {
            auto named = side.files;
            named.push_back(file);  // if none is named
            side.known_files = cli::other_files_of_runs(named);
        }
        const std::lock_guard lock(state_);
        progress_ = {file, progress};
    });
    side.files.clear();
    for (const auto& mark : side.marks) side.files.push_back(mark.path);
    std::erase_if(side.marks, [](const FileMark& mark) { return mark.path == "-"; });
    const std::lock_guard lock(state_);
    progress_.reset();
    return opened;
}

void LiveProfile::put(answer::Session session, Sides read) {
    const std::lock_guard only(asking_);
    session_ = std::move(session);
    const std::lock_guard lock(state_);
    sides_ = std::move(read);
    is_read_ = true;
    is_read_changed_.notify_all();
}

LiveProfile::Sides LiveProfile::sides() {
    const std::lock_guard lock(state_);
    return sides_;
}

std::string LiveProfile::status() {
    bool is_changed = false;
    Names files;
    const auto look_at = [&](const Side& side) {
        is_changed = is_changed || std::any_of(side.marks.begin(), side.marks.end(), has_changed);
        for (auto& file : new_files(side.files, side.known_files.value_or(Names{})))
            files.push_back(std::move(file));
    };
    const auto read = sides();
    look_at(read.after);
    if (read.before) look_at(*read.before);

    std::string text;
    answer::JsonText json(text);
    json.begin_object();
    json.member("changed", is_changed);
    json.key("new_files");
    json.begin_array();
    for (const auto& file : files) json.value(file);
    json.end_array();
    if (const std::lock_guard lock(state_); progress_) {
        const auto& [file, progress] = *progress_;
        json.key("reading");
        json.begin_object();
        json.member("file", file);
        json.member("bytes", progress.bytes_done);
        if (progress.bytes_total > 0) json.member("bytes_total", progress.bytes_total);
        json.end_object();
    }
    json.end_object();
    return text;
}

std::string LiveProfile::reload() {
    const std::lock_guard only(reading_);
    auto read = sides();
    if (is_among(read.after.files, "-") || (read.before && is_among(read.before->files, "-")))
        return error_answer("cannot-read", "standard input cannot be read again", "view a file");
    const auto add_new = [](Side& side) {
        for (auto& file : new_files(side.files, side.known_files.value_or(Names{})))
            side.files.push_back(std::move(file));
    };
    add_new(read.after);
    if (read.before) add_new(*read.before);
    auto quiet = console_;
    quiet.quiet = true;
    auto session = read_sides(read, quiet);
    if (!session)
        return error_answer("cannot-read", "the files could not be read again; the page shows what they were",
                            "the terminal that 'callcost view' runs in says why");
    put(*std::move(session), std::move(read));
    const std::lock_guard asking(asking_);
    return session_->answer(R"({"ask":"profile"})");
}

}  // namespace callcost::page
