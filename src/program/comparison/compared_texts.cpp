#include "comparison/compared_texts.hpp"

#include <filesystem>
#include <system_error>

#include "loading/inputs.hpp"

namespace callcost::program {
namespace {

SourceFinderOptions search_of_both(const Profile& profile, const SourceSearchOptions& options) {
    auto search = source_search(profile, options);
    search.is_beside_profile = true;  // the working directory may be that of the other side
    return search;
}

std::optional<SourceFinder> finder_of(const SideSources& own) {
    if (own.directories.empty() && own.map.empty()) return std::nullopt;
    SourceFinderOptions search;
    search.include_dirs = own.directories;
    search.source_map = own.map;
    search.skips_recorded = true;
    return SourceFinder(std::move(search));
}

bool is_one_file(const SourceText& a, const SourceText& b) {
    std::error_code gone;
    return std::filesystem::equivalent(a.path(), b.path(), gone);
}

}  // namespace

SideTexts::SideTexts(const Profile& profile, const SourceSearchOptions& both, const SideSources& own,
                     std::optional<GitCommit> commit)
    : commit_(std::move(commit)),
      own_(finder_of(own)),
      both_(search_of_both(profile, both)),
      profile_time_(profile_time(profile)) {}

const SideTexts::Found* SideTexts::find(std::string_view recorded_name) {
    std::string name(recorded_name);
    auto known = texts_.find(name);
    if (known == texts_.end()) known = texts_.emplace(name, search(name)).first;
    return known->second ? &*known->second : nullptr;
}

std::optional<SideTexts::Found> SideTexts::search(std::string_view recorded_name) {
    if (commit_) {
        if (auto text = commit_->find(own_ ? own_->mapped(recorded_name) : recorded_name))
            return Found{*std::move(text), true};
    } else if (own_) {
        if (auto text = own_->find(recorded_name)) return Found{*std::move(text), true};
    }
    if (auto text = both_.find_in_commits(recorded_name)) return Found{*std::move(text), true};
    auto text = both_.find(recorded_name);
    if (!text) return std::nullopt;
    if (profile_time_ && !text->newer_than(*profile_time_)) return Found{*std::move(text), false};
    newer_.emplace_back(recorded_name);
    return std::nullopt;
}

const LineMatch* ComparedTexts::match(std::string_view before, std::string_view after) {
    const auto& match = match_of(before, after);
    return match ? &*match : nullptr;
}

void ComparedTexts::reject(std::string_view before, std::string_view after) {
    auto& match = match_of(before, after);
    if (match) rejected_.emplace_back(after);
    match.reset();
}

std::optional<LineMatch>& ComparedTexts::match_of(std::string_view before, std::string_view after) {
    std::pair<std::string, std::string> names(before, after);
    auto known = matches_.find(names);
    if (known == matches_.end()) known = matches_.emplace(std::move(names), made(before, after)).first;
    return known->second;
}

std::optional<LineMatch> ComparedTexts::made(std::string_view before, std::string_view after) {
    const auto* was = before_.find(before);
    const auto* is = was == nullptr ? nullptr : after_.find(after);
    if (is == nullptr) return std::nullopt;
    if (before != after && !was->is_told && !is->is_told && is_one_file(was->text, is->text))
        return std::nullopt;
    return match_lines(was->text.text(), is->text.text());
}

}  // namespace callcost::program
