// A store of profiles in one file, as somebody else may have made it: all that can be asked of it is answered
// or refused, and no file is left beside it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "history/sqlite_store.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

namespace fs = std::filesystem;

/// In memory where the system has such files. Gone when the program ends.
class Folder {
  public:
    Folder() {
        std::string name = (fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") + std::string("/store_fuzz-XXXXXX");
        demand(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

void ask_costs(program::Store& store, const std::string& series, std::span<const program::Entry> entries) {
    std::vector<program::EntryId> ids;
    std::set<std::string> events;
    for (const auto& entry : entries) {
        ids.push_back(entry.id);
        for (const auto& [event, total] : entry.totals) events.insert(event);
    }
    for (const auto& event : events)
        for (const auto most : {std::size_t{0}, std::size_t{1}})
            (void)store.costs({.series = series, .event = event, .entries = ids, .max_of_place = most},
                              [&](const auto&, std::span<const std::optional<program::FunctionCost>> costs) {
                                  demand(costs.size() == ids.size());
                              });
}

void ask(program::Store& store) {
    const auto all = store.series();
    if (!all) return demand(!all.error().text.empty());
    for (const auto& series : *all) {
        const auto entries = store.entries(series.name);
        if (!entries) continue;
        for (const auto& entry : *entries) (void)store.profile(entry.id);
        ask_costs(store, series.name, *entries);
    }
}

void check(const char* data, std::size_t size) {
    static const Folder folder;
    const auto path = folder.path() / "h.db";
    {
        std::ofstream file(path, std::ios::binary);
        file.write(data, static_cast<std::streamsize>(size));
        demand(static_cast<bool>(file.flush()));
    }
    if (auto store = program::open_sqlite_store(path.string(), program::StoreUse::read))
        ask(**store);
    else
        demand(!store.error().text.empty());
    fs::remove(path);
    for (const char* beside : {"-wal", "-shm"})
        fs::remove(path.string() + beside);  // left when it is damaged
    demand(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    callcost::fuzz::check(reinterpret_cast<const char*>(data), size);
    return 0;
}
