#include "server/live_profile.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "loading/inputs.hpp"
#include "loading/run_files.hpp"
#include "session/question.hpp"
#include "text/json.hpp"

namespace callcost::program {
namespace {

using Names = std::vector<std::string>;
using namespace std::chrono_literals;

std::string error_answer(std::string_view id, std::string_view message, std::string_view hint) {
    return engine::error_answer({std::string(id), std::string(message), std::string(hint)});
}

bool has_changed(const FileMark& mark) { return FileMark::of(mark.path) != mark; }

bool is_among(const Names& files, const std::string& file) {
    return std::find(files.begin(), files.end(), file) != files.end();
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

/// One at a time has it, with the mutex open meanwhile.
class LiveProfile::Turn {
  public:
    Turn(Lock& lock, bool& is_taken, std::condition_variable& changed)
        : lock_(lock), is_taken_(is_taken), changed_(changed) {
        is_taken_ = true;
        lock_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        lock_.lock();
        is_taken_ = false;
        changed_.notify_all();
    }

  private:
    Lock& lock_;
    bool& is_taken_;
    std::condition_variable& changed_;
};

/// Those that have come.
Names LiveProfile::new_files(const Side& side) const {
    auto others = side.is_live ? control_->dumps() : other_files_of_runs(side.files);
    const Names known = side.is_live ? side.files : side.known_files.value_or(Names{});
    std::erase_if(others, [&](const auto& file) { return is_among(known, file); });
    return others;
}

LiveProfile::LiveProfile(const PageOptions& options, const Console& console, LiveControl* control)
    : options_(options), console_(console), control_(control) {
    sides_.after.files = options.input.files;
    sides_.after.is_live = control != nullptr;
    if (!options.before.empty()) sides_.before = Side{options.before, std::nullopt, {}, false};
}

tl::expected<void, Exit> LiveProfile::read() {
    auto read = sides_;  // which only readings change
    const auto kept = keep_live_files(read.after);
    auto reading = read_sides(read, console_);
    if (!reading) return tl::unexpected(reading.error());
    put(*std::move(reading), std::move(read));
    return {};
}

void LiveProfile::give_up(std::string_view message, std::string_view hint) {
    const std::lock_guard lock(mutex_);
    failure_ = error_answer("cannot-read", message, hint);
    changed_.notify_all();
}

/// Reads what there is then; nobody moves it meanwhile.
std::shared_lock<std::shared_mutex> LiveProfile::keep_live_files(Side& side) {
    if (!side.is_live) return {};
    std::shared_lock kept(control_->files_mutex());
    side.files = control_->dumps();
    return kept;
}

Exit LiveProfile::exit() {
    const std::lock_guard lock(mutex_);
    return exit_;
}

bool LiveProfile::is_read_within(std::chrono::milliseconds time) {
    Lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return generation_ > 0; });
}

std::string LiveProfile::answer(std::string_view question, const IsWanted& is_wanted) {
    try {
        engine::Question asked(question);
        const std::string ask(asked.text("ask"));
        if (ask == "status") return status();
        if (control_ != nullptr && LiveControl::is_asked(ask)) {
            auto text = control_->answer(asked);
            if (text) return *std::move(text);
            return error_answer(text.error().id, text.error().message, text.error().hint);
        }
        Lock lock(mutex_);
        const auto waits_for = [&](const auto& condition) {
            while (!changed_.wait_for(lock, 200ms, condition))
                if (!is_wanted()) return false;
            return true;
        };
        if (!waits_for([&] { return generation_ > 0 || !failure_.empty(); })) return {};
        if (generation_ == 0) return failure_;
        if (ask == "reload") {
            const auto over = reloads_;
            if (!waits_for([&] { return !is_reloading_ || reloads_ > over; })) return {};
            return reloads_ > over ? reload_answer_ : reload(lock);
        }
        if (!waits_for([&] { return !is_asking_; }) || !is_wanted()) return {};
        const auto meant = asked.integer("generation", 0);
        if (meant != 0 && meant != generation_)  // its ids are those of another session
            return error_answer("stale", "the files were reloaded", "reload the page");
        const Turn turn(lock, is_asking_, changed_);
        is_wanted_ = &is_wanted;
        auto text = session_->answer(question);
        if (ask == "profile") {
            const auto live = control_ == nullptr ? std::string() : "\"live\":" + control_->state() + ",";
            text.insert(1, fmt::format("\"generation\":{},{}", generation_, live));
        }
        return text;
    } catch (const std::bad_alloc&) {
        return error_answer("too-large", "not enough memory for the answer", "request less");
    }
}

tl::expected<LiveProfile::Reading, Exit> LiveProfile::read_sides(Sides& read, const Console& console) {
    if (read.after.is_live && read.after.files.empty()) return tl::unexpected(Exit::error);
    std::optional<OpenedProfile> before;
    if (read.before) {
        auto opened = read_side(*read.before, console);
        if (!opened) return tl::unexpected(opened.error());
        before = *std::move(opened);
    }
    auto after = read_side(read.after, console);
    if (!after) return tl::unexpected(after.error());
    OpenedSides opened(*std::move(after), std::move(before), options_, console);
    std::optional<Profile> profile_before;
    if (opened.before) profile_before = opened.before->expanded.profile;
    engine::Session session(opened.after.expanded.profile, std::move(profile_before),
                            host_of(opened, options_, [this] { return (*is_wanted_)(); }));
    return Reading{std::move(session), opened.exit()};
}

tl::expected<OpenedProfile, Exit> LiveProfile::read_side(Side& side, const Console& console) {
    struct Progressing {
        LiveProfile& profile;
        ~Progressing() {
            const std::lock_guard lock(profile.mutex_);
            profile.progress_.reset();
        }
    };
    const Progressing progressing{*this};
    side.marks.clear();
    auto options = options_;
    options.input.only_regular_files = side.is_read_again;
    auto opened = open_profile(options, side.files, console, [&](const auto& file, const auto& progress) {
        // Before the file is opened: what changes or comes while it is read does so later.
        if (side.marks.empty() || side.marks.back().path != file) side.marks.push_back(FileMark::of(file));
        if (!side.known_files) {
            auto named = side.files;
            named.push_back(file);  // if none is named
            side.known_files = other_files_of_runs(named);
        }
        const std::lock_guard lock(mutex_);
        progress_ = {file, progress};
    });
    side.files.clear();
    for (const auto& mark : side.marks) side.files.push_back(mark.path);
    std::erase_if(side.marks, [](const FileMark& mark) { return mark.path == "-"; });
    return opened;
}

void LiveProfile::put(Reading reading, Sides read) {
    std::optional<engine::Session> old;  // takes its time to go: after the mutex
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return !is_asking_; });
    old = std::exchange(session_, std::move(reading.session));
    exit_ = reading.exit;
    sides_ = std::move(read);
    ++generation_;
    changed_.notify_all();
}

std::string LiveProfile::status() {
    bool is_changed = false;
    Names files;
    const auto look_at = [&](const Side& side) {
        is_changed = is_changed || std::any_of(side.marks.begin(), side.marks.end(), has_changed);
        for (auto& file : new_files(side)) files.push_back(std::move(file));
    };
    Lock lock(mutex_);
    const auto read = sides_;
    const auto generation = generation_;
    const auto progress = progress_;
    lock.unlock();
    // Whoever moves the files is quick, and answers come at once.
    std::shared_lock<std::shared_mutex> kept;
    if (read.after.is_live) kept = std::shared_lock(control_->files_mutex(), std::try_to_lock);
    if (!read.after.is_live || kept) look_at(read.after);
    if (read.before) look_at(*read.before);

    std::string text;
    engine::JsonWriter json(text, engine::page_json);
    json.begin_object();
    json.member("generation", generation);
    json.member("changed", is_changed);
    json.key("new_files");
    json.begin_array();
    for (const auto& file : files) json.value(file);
    json.end_array();
    if (control_ != nullptr) {
        json.key("live");
        json.json(control_->state());
    }
    if (progress) {
        const auto& [file, bytes] = *progress;
        json.key("reading");
        json.begin_object();
        json.member("file", file);
        json.member("bytes", bytes.bytes_done);
        if (bytes.bytes_total > 0) json.member("bytes_total", bytes.bytes_total);
        json.end_object();
    }
    json.end_object();
    return text;
}

std::string LiveProfile::reload(Lock& lock) {
    auto read = sides_;
    std::string answer;
    {
        const Turn turn(lock, is_reloading_, changed_);
        answer = read_again(std::move(read));
    }
    ++reloads_;
    reload_answer_ = answer;
    return answer;
}

std::string LiveProfile::read_again(Sides read) {
    if (is_among(read.after.files, "-") || (read.before && is_among(read.before->files, "-")))
        return error_answer("cannot-read", "standard input cannot be reloaded", "use a file");
    const auto add_new = [this](Side& side) {
        side.is_read_again = true;
        for (auto& file : new_files(side)) side.files.push_back(std::move(file));
    };
    const auto kept = keep_live_files(read.after);
    add_new(read.after);
    if (read.before) add_new(*read.before);
    auto quiet = console_;
    quiet.quiet = true;
    auto reading = read_sides(read, quiet);
    if (!reading)
        return error_answer("cannot-read", "reloading the files failed; the page shows the previous version",
                            "see the messages of 'callcost view' in its terminal");
    put(*std::move(reading), std::move(read));
    return answer(R"({"ask":"profile"})", [] { return true; });  // others may wait for it, too
}

}  // namespace callcost::program
