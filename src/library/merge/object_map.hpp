/// A map of inlined code while a profile is expanded by it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "callcost/inlining.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// Which site an address is in. Addresses mostly ascend.
class SiteFinder {
  public:
    explicit SiteFinder(std::span<const InlineMap::Run> runs) : runs_(runs) { find(0); }

    [[nodiscard]] std::uint32_t site_at(std::uint64_t address) {
        if (address < first_ || address > last_) find(address);
        return site_;
    }

  private:
    void find(std::uint64_t address) {
        const bool is_in_next = address > last_ && after_ + 1 < runs_.size() &&
                                address >= runs_[after_].address && address < runs_[after_ + 1].address;
        after_ = is_in_next ? after_ + 1
                            : static_cast<std::size_t>(
                                  std::upper_bound(runs_.begin(), runs_.end(), address,
                                                   [](std::uint64_t where, const InlineMap::Run& run) {
                                                       return where < run.address;
                                                   }) -
                                  runs_.begin());
        first_ = after_ == 0 ? 0 : runs_[after_ - 1].address;
        site_ = after_ == 0 ? InlineSite::none : runs_[after_ - 1].site;
        last_ = after_ == runs_.size() ? UINT64_MAX : runs_[after_].address - 1;
    }

    std::span<const InlineMap::Run> runs_;
    std::size_t after_ = 0;               // the next run
    std::uint64_t first_ = 1, last_ = 0;  // where the site is the same
    std::uint32_t site_ = InlineSite::none;
};

/// Where code is from that has no line.
class LineFinder {
  public:
    explicit LineFinder(std::span<const InlineMap::Line> lines) : lines_(lines) {}

    /// Null: not known.
    [[nodiscard]] const InlineMap::Line* line_at(std::uint64_t address) const {
        const auto after = std::upper_bound(
            lines_.begin(), lines_.end(), address,
            [](std::uint64_t where, const InlineMap::Line& line) { return where < line.address; });
        return after == lines_.begin() || (after - 1)->line == 0 ? nullptr : &*(after - 1);
    }

  private:
    std::span<const InlineMap::Line> lines_;
};

/// Whether inlined code begins at an address.
class EntryFinder {
  public:
    explicit EntryFinder(const std::vector<InlineSite>& sites) {
        for (const InlineSite& site : sites)
            if (site.entry != 0) entries_.push_back(site.entry);
        std::sort(entries_.begin(), entries_.end());
        entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    }

    [[nodiscard]] bool is_entry(std::uint64_t address) {
        if (address > before_ && address < next_) return false;
        const auto next = std::lower_bound(entries_.begin(), entries_.end(), address);
        before_ = next == entries_.begin() ? 0 : *(next - 1);
        next_ = next == entries_.end() ? UINT64_MAX : *next;
        return next != entries_.end() && *next == address;
    }

  private:
    std::vector<std::uint64_t> entries_;
    std::uint64_t before_ = 1, next_ = 0;  // no entry is between them
};

/// An object's map, and what it names as rows of the profile.
struct ObjectMap {
    explicit ObjectMap(const InlineMap& its)
        : map(its),
          sites(its.runs),
          lines(its.lines),
          entries(its.sites),
          functions(its.functions.size()),
          files(its.files.size()),
          owners(its.sites.size(), 0) {}

    const InlineMap& map;
    SiteFinder sites;
    LineFinder lines;
    EntryFinder entries;
    std::vector<std::optional<FunctionData>> functions;
    std::vector<FileId> files;          // invalid: not looked up yet
    std::vector<std::uint32_t> owners;  // by site, as Row::owner; 0: it is not open
};

}  // namespace callcost
