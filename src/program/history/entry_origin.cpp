#include "history/entry_origin.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "sources/git.hpp"
#include "terminal/terminal.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

/// Of what git prints.
std::optional<std::string> first_line_of_git(const std::vector<std::string>& words) {
    auto answer = git(words);
    if (!answer) return std::nullopt;
    answer->resize(std::min(answer->find('\n'), answer->size()));
    return *std::move(answer);
}

/// The first of them that is set.
std::string first_of(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (auto value = environment(name); value && !value->empty()) return *std::move(value);
    return {};
}

/// Of machines that come and go the kind, else the name.
std::string this_machine() {
    if (auto given = environment("CALLCOST_MACHINE"); given && !given->empty()) return *std::move(given);
    if (environment("GITHUB_ACTIONS"))
        return fmt::format("github-{}-{}", first_of({"RUNNER_OS"}), first_of({"RUNNER_ARCH"}));
    if (environment("GITLAB_CI")) {
        auto runner = first_of({"CI_RUNNER_DESCRIPTION"});
        return runner.empty() ? "gitlab" : runner;
    }
    utsname names{};
    return uname(&names) == 0 ? std::string(names.nodename) : std::string();
}

/// Of a refs/heads or tags name; a pull request's is that of its source.
std::string branch_of_service() {
    return first_of({"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME"});
}

bool is_object_id(std::string_view text) {
    return text.size() >= 7 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

struct Fields {
    std::string_view text;
    bool is_valid = true;

    /// Of so many digits.
    std::int64_t number(std::size_t digits) {
        std::int64_t value = 0;
        is_valid = is_valid && text.size() >= digits &&
                   std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(digits),
                               [](char c) { return c >= '0' && c <= '9'; });
        if (!is_valid) return 0;
        std::from_chars(text.data(), text.data() + digits, value);
        text.remove_prefix(digits);
        return value;
    }
    bool take(std::string_view any_of) {
        if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
        text.remove_prefix(1);
        return true;
    }
    void need(std::string_view any_of) { is_valid = is_valid && take(any_of); }
};

}  // namespace

Stored<EntryOrigin> find_origin(const std::string& commit) {
    EntryOrigin origin;
    origin.machine = this_machine();
    origin.branch = branch_of_service();
    const auto of_service = first_of({"GITHUB_SHA", "CI_COMMIT_SHA"});
    const auto& wanted = !commit.empty() ? commit : of_service;
    if (!wanted.empty() && (wanted.front() == '-' || wanted.find('\0') != std::string::npos))
        return tl::unexpected(
            StoreProblem{fmt::format("'{}' is no commit", engine::display_name(wanted)), {}});
    origin.checked_out =
        first_line_of_git({"rev-parse", "--verify", "--quiet", "HEAD"}).value_or(std::string());
    // "1a2b... 3c4d...|1764050400"
    const auto line =
        first_line_of_git({"log", "-1", "--format=%H %P|%ct", wanted.empty() ? "HEAD" : wanted, "--"});
    if (!line) {
        if (!commit.empty() && !is_object_id(commit)) {
            const auto place = git({"rev-parse", "--git-dir"});
            if (place || place.error().find("bare repository") != std::string::npos)
                return tl::unexpected(
                    StoreProblem{fmt::format("git knows no commit '{}'", engine::display_name(commit)),
                                 place ? std::string() : place.error()});
        }
        origin.commit = wanted;
        return origin;
    }
    const auto bar = std::min(line->find('|'), line->size());
    std::string_view ids = std::string_view(*line).substr(0, bar);
    while (!ids.empty()) {
        const auto end = std::min(ids.find(' '), ids.size());
        if (end > 0)
            (origin.commit.empty() ? origin.commit : origin.parents.emplace_back()) = ids.substr(0, end);
        ids.remove_prefix(std::min(end + 1, ids.size()));
    }
    origin.time = seconds_of("@" + line->substr(std::min(bar + 1, line->size())));
    if (origin.checked_out == origin.commit) {
        if (origin.branch.empty())
            origin.branch =
                first_line_of_git({"symbolic-ref", "--quiet", "--short", "HEAD"}).value_or(std::string());
        origin.is_modified = is_work_tree_modified();
    }
    return origin;
}

bool is_of(const EntryOrigin& origin, const Entry& entry) {
    return !origin.commit.empty() && entry.facts.commit == origin.commit &&
           entry.facts.is_modified == origin.is_modified;
}

void find_subjects(std::vector<Entry>& entries, std::span<const std::size_t> places) {
    std::multimap<std::string_view, Entry*> by_commit;
    for (const std::size_t place : places)
        if (const auto& commit = entries[place].facts.commit; is_object_id(commit))
            by_commit.emplace(commit, &entries[place]);
    constexpr std::size_t max_asked = 1'000;  // what a command line holds easily
    for (auto next = by_commit.begin(); next != by_commit.end();) {
        std::vector<std::string> words{"log", "--no-walk=unsorted", "--ignore-missing", "--format=%H %s"};
        for (; next != by_commit.end() && words.size() < max_asked; next = by_commit.upper_bound(next->first))
            words.emplace_back(next->first);
        words.emplace_back("--");
        const auto answer = git(words);
        if (!answer) return;
        for (std::string_view rest = *answer; !rest.empty();) {
            const auto line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            const auto blank = std::min(line.find(' '), line.size());
            const auto [begin, end] = by_commit.equal_range(line.substr(0, blank));
            for (auto entry = begin; entry != end; ++entry)
                entry->second->subject = line.substr(std::min(blank + 1, line.size()));
        }
    }
}

std::optional<std::int64_t> seconds_of(std::string_view time) {
    namespace chrono = std::chrono;
    if (time.starts_with('@')) {
        std::int64_t seconds = 0;
        const auto* end = time.data() + time.size();
        const auto [last, problem] = std::from_chars(time.data() + 1, end, seconds);
        if (problem != std::errc() || last != end) return std::nullopt;
        return seconds;
    }
    Fields fields{time};
    const auto y = fields.number(4);
    fields.need("-");
    const auto m = fields.number(2);
    fields.need("-");
    const auto d = fields.number(2);
    const chrono::year_month_day date{chrono::year(static_cast<int>(y)),
                                      chrono::month(static_cast<unsigned>(m)),
                                      chrono::day(static_cast<unsigned>(d))};
    if (!fields.is_valid || !date.ok()) return std::nullopt;
    auto seconds = chrono::duration_cast<chrono::seconds>(chrono::sys_days(date).time_since_epoch()).count();
    if (fields.text.empty()) return seconds;
    fields.need("T ");
    const auto hour = fields.number(2);
    fields.need(":");
    const auto minute = fields.number(2);
    const auto second = fields.take(":") ? fields.number(2) : 0;
    if (fields.take("."))
        while (fields.take("0123456789")) {
        }
    if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
    seconds += hour * 3600 + minute * 60 + second;
    if (!fields.text.empty() && !fields.take("Zz")) {
        const bool is_behind = fields.text.front() == '-';
        fields.need("+-");
        const auto hours = fields.number(2);
        fields.take(":");
        const auto minutes = fields.number(2);
        seconds += (is_behind ? 1 : -1) * (hours * 3600 + minutes * 60);
    }
    if (!fields.is_valid || !fields.text.empty()) return std::nullopt;
    return seconds;
}

std::string utc_text(std::int64_t seconds) {
    namespace chrono = std::chrono;
    constexpr std::int64_t most = 253'402'300'799;  // the end of year 9999
    const chrono::sys_seconds time{chrono::seconds(std::clamp<std::int64_t>(seconds, 0, most))};
    const auto day = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date(day);
    const chrono::hh_mm_ss<chrono::seconds> clock(time - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::string minutes_text(std::int64_t seconds) {
    auto text = utc_text(seconds);
    text[10] = ' ';
    return text.substr(0, 16);
}

}  // namespace callcost::program
