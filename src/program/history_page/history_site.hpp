/// What `view --store` serves: a store, and the profiles of its entries.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
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
    /// about which name no entry; may be null, else must outlive this.
    HistorySite(std::unique_ptr<Store> store, PageOptions options, const Console& console,
                LiveProfile* named);

    /// As LiveProfile::answer. Thread-safe. Profiles of entries are read when they are first asked for.
    [[nodiscard]] std::string answer(std::string_view text, const IsWanted& is_wanted);

  private:
    /// An entry, and maybe one to compare it with.
    struct Opened {
        Entry entry;
        std::optional<Entry> before;
        std::unique_ptr<LiveProfile> profile;
    };
    [[nodiscard]] Stored<std::shared_ptr<Opened>> opened(engine::Question& question);

    const std::unique_ptr<Store> store_;  // used by the thread that has the mutex
    const PageOptions options_;
    const Console console_;
    LiveProfile* const named_;
    std::mutex mutex_;
    std::list<std::shared_ptr<Opened>> opened_;  // the one last used first
    /// What `named_` is of, and compared with: a newer entry may take the name.
    std::optional<std::pair<std::optional<Entry>, std::optional<Entry>>> named_entries_;
};

}  // namespace callcost::program
