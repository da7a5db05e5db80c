/// What `view --store` serves: a store, and the profiles of its entries.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <utility>

#include "history/store.hpp"
#include "options/profile_options.hpp"
#include "server/live_profile.hpp"
#include "server/server.hpp"
#include "session/question.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

class HistorySite {
  public:
    /// `options`: of all profiles, with the address of the store. `named`: the profile that questions are
    /// about which name no entry, read from what `options` name; may be null, else must outlive this.
    HistorySite(PageOptions options, const Console& console, LiveProfile* named);

    /// As LiveProfile::answer. Thread-safe. Each question opens the store, which others may change, and
    /// profiles of entries are read when they are first asked for: this must live until the process ends.
    [[nodiscard]] std::string answer(std::string_view text, const IsWanted& is_wanted);

  private:
    /// An entry, and maybe one to compare it with.
    struct OpenProfile {
        Entry entry;
        std::optional<Entry> before;
        std::unique_ptr<LiveProfile> profile;
    };
    using Found = tl::expected<std::shared_ptr<OpenProfile>, engine::QueryError>;
    [[nodiscard]] Found opened(engine::Question& question);
    [[nodiscard]] std::shared_ptr<OpenProfile> known(EntryId id, EntryId before, std::string_view series);
    void read(const std::shared_ptr<OpenProfile>& one);
    [[nodiscard]] std::string answer_about_named(std::string_view text, std::string_view ask,
                                                 const IsWanted& is_wanted);

    const PageOptions options_;
    const Console console_;
    LiveProfile* const named_;
    std::counting_semaphore<> readers_;               // that may read at the same time
    std::mutex mutex_;                                // guards the following
    std::list<std::shared_ptr<OpenProfile>> opened_;  // the one last used first
    std::optional<std::pair<std::optional<Entry>, std::optional<Entry>>> named_entries_;
};

/// Entries that `options` name get the name that is theirs alone: a newer one may take the other.
void name_entries_exactly(Store& store, PageOptions& options);

}  // namespace callcost::program
