/// The source texts of both sides of a comparison, by which lines are matched.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/comparison_options.hpp"
#include "sources/git_commit.hpp"
#include "sources/source_files.hpp"
#include <callcost/diff.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// The source files of one side. What the user says about this side alone is searched first, and believed. A
/// file that is found otherwise may have been changed since, so it must be older than the profile.
class SideTexts {
  public:
    struct Found {
        SourceText text;
        bool is_told = false;  ///< by an option of this side
    };

    SideTexts(const Profile& profile, const SourceSearchOptions& both, const SideSources& own,
              std::optional<GitCommit> commit);

    /// nullptr if there is none, or it may be another version.
    const Found* find(std::string_view recorded_name);
    /// Recorded names of files that are newer than the profile, and were not taken.
    [[nodiscard]] const std::vector<std::string>& newer() const { return newer_; }

  private:
    std::optional<Found> search(std::string_view recorded_name);

    std::optional<GitCommit> commit_;
    std::optional<SourceFinder> own_;
    SourceFinder both_;
    std::optional<FileTime> profile_time_;
    std::map<std::string, std::optional<Found>> texts_;  // no hashing: profiles choose the names
    std::vector<std::string> newer_;
};

class ComparedTexts {
  public:
    ComparedTexts(SideTexts before, SideTexts after) : before_(std::move(before)), after_(std::move(after)) {}

    /// Of files by their recorded names; nullptr if a text is not at hand. One file for two names is no text
    /// of both unless an option says so.
    const LineMatch* match(std::string_view before, std::string_view after);
    /// The texts turned out not to be those that were measured.
    void reject(std::string_view before, std::string_view after);
    /// Recorded names after, of files whose texts were rejected.
    [[nodiscard]] const std::vector<std::string>& rejected() const { return rejected_; }

    [[nodiscard]] const SideTexts& before() const { return before_; }
    [[nodiscard]] const SideTexts& after() const { return after_; }

  private:
    std::optional<LineMatch>& match_of(std::string_view before, std::string_view after);
    std::optional<LineMatch> made(std::string_view before, std::string_view after);

    SideTexts before_, after_;
    std::map<std::pair<std::string, std::string>, std::optional<LineMatch>> matches_;
    std::vector<std::string> rejected_;
};

}  // namespace callcost::program
