#include "sources/perf_map.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {

namespace {

constexpr std::uint64_t max_map_size = 256U << 20U;

/// Takes the number off the front, and what blanks follow; nothing if there is none.
std::optional<std::uint64_t> take_number(std::string_view& line) {
    if (line.starts_with("0x")) line.remove_prefix(2);
    std::uint64_t number = 0;
    const auto* const end = line.data() + line.size();
    const auto [stop, problem] = std::from_chars(line.data(), end, number, 16);
    if (problem != std::errc() || stop == end || *stop != ' ') return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return number;
}

/// In names of functions, ' is what separates them from their callers.
std::string without_quotes(std::string_view text) {
    std::string name(text);
    std::replace(name.begin(), name.end(), '\'', '"');
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; },
        ' ');
    return name;
}

/// Whether the system knows that the file was made before that.
bool is_born_before(int file, std::int64_t begin) {
#ifdef STATX_BTIME
    struct statx facts {};
    return ::statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &facts) == 0 &&
           (facts.stx_mask & STATX_BTIME) != 0 && facts.stx_btime.tv_sec < begin;
#else
    static_cast<void>(file), static_cast<void>(begin);
    return false;
#endif
}

std::optional<std::string> read_map(const std::string& path, int flags,
                                    const std::function<bool(int file, const struct stat&)>& is_right) {
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
    if (file < 0) return std::nullopt;
    struct stat facts {};
    std::optional<std::string> text;
    if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && is_right(file, facts) &&
        static_cast<std::uint64_t>(facts.st_size) <= max_map_size) {
        text.emplace(static_cast<std::size_t>(facts.st_size), '\0');
        std::size_t size = 0;
        while (size < text->size()) {
            const auto count = ::read(file, text->data() + size, text->size() - size);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            size += static_cast<std::size_t>(count);
        }
        text->resize(size);
    }
    ::close(file);
    return text;
}

}  // namespace

PerfMap::PerfMap(std::string_view text) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> begins, ends;  // addresses and names
    std::unordered_map<std::string, std::uint32_t> rows;
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto start = take_number(line);
        const auto size = start ? take_number(line).value_or(0) : 0;
        line.remove_suffix(line.size() - (line.find_last_not_of(" \r\t") + 1));
        if (size == 0 || size > UINT64_MAX - *start || line.empty() || line.size() > max_new_name) continue;
        const auto [entry, is_new] =
            rows.try_emplace(without_quotes(line), static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(entry->first);
        begins.emplace_back(*start, entry->second);
        ends.emplace_back(*start + size, entry->second);
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    std::map<std::uint32_t, std::size_t> open;  // how often each name is
    for (auto begin = begins.begin(), end = ends.begin(); end != ends.end();) {
        const auto address = begin == begins.end() ? end->first : std::min(begin->first, end->first);
        for (; end != ends.end() && end->first == address; ++end)
            if (const auto name = open.find(end->second); --name->second == 0) open.erase(name);
        for (; begin != begins.end() && begin->first == address; ++begin) ++open[begin->second];
        const auto name = open.empty() ? none : open.size() > 1 ? several : open.begin()->first;
        if (runs_.empty() || runs_.back().name != name) runs_.push_back({address, name});
    }
}

PerfMap::Named PerfMap::at(std::uint64_t address) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), address,
                         [](std::uint64_t wanted, const Run& run) { return wanted < run.address; });
    if (after == runs_.begin()) return {};
    const auto name = (after - 1)->name;
    if (name == several) return {{}, true};
    return {name == none ? std::string_view() : names_[name], false};
}

std::optional<std::uint64_t> address_as_name(std::string_view name) {
    if (!name.starts_with("0x")) return std::nullopt;
    std::uint64_t address = 0;
    const auto* const end = name.data() + name.size();
    const auto [stop, problem] = std::from_chars(name.data() + 2, end, address, 16);
    return problem == std::errc() && stop == end ? std::optional(address) : std::nullopt;
}

std::string with_pieces(std::string_view name, const Replacement& replacement, std::size_t max_size) {
    std::string result;
    for (bool is_caller = false;; is_caller = true) {
        const auto piece = name.substr(0, name.find('\''));
        const auto known = replacement(piece, is_caller);
        result += known.empty() ? piece : known;
        if (result.size() > max_size) return {};
        if (piece.size() == name.size()) return result;
        result += '\'';
        name.remove_prefix(piece.size() + 1);
    }
}

std::string RoomForNames::named(std::string_view name, const Replacement& replacement) {
    if (is_full_) return {};
    auto result = with_pieces(name, replacement, left_);
    is_full_ = result.empty() && !name.empty();
    left_ -= result.size();  // that of an unchanged name, too, so that time has a limit
    return result == name ? std::string() : result;
}

std::string_view NamesByMap::name_of(std::string_view piece, bool is_caller, bool has_object) {
    const auto address = address_as_name(piece);
    if (!address || (is_caller ? object_names_.contains(piece) : has_object)) return {};
    const auto found = map_.at(*address);
    if (!is_caller && counted_.emplace(piece).second) counts_.add(found);
    return found.name;
}

std::string message(const NamedByMap& counts, std::string_view where) {
    auto text = std::to_string(counts.named) + " of " + std::to_string(counts.all) +
                " functions outside of programs and libraries are named by " + std::string(where);
    if (counts.ambiguous > 0)
        text += ", which has several names for " + std::to_string(counts.ambiguous) + " more";
    return text;
}

std::optional<std::string> read_perf_map(const std::string& path) {
    return read_map(path, 0, [](int, const struct stat&) { return true; });
}

std::optional<MapOfRun> read_perf_map_of_run(const std::string& path, std::int64_t begin) {
    MapOfRun map;
    auto text = read_map(path, O_NOFOLLOW, [&](int file, const struct stat& facts) {
        map.device = facts.st_dev;
        map.number = facts.st_ino;
        return facts.st_uid == ::geteuid() && (facts.st_mode & S_IWOTH) == 0 &&
               facts.st_mtim.tv_sec >= begin && !is_born_before(file, begin);
    });
    if (!text) return std::nullopt;
    map.text = *std::move(text);
    return map;
}

void remove_perf_map_of_run(const std::string& path, const MapOfRun& map) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
        facts.st_dev == map.device && facts.st_ino == map.number)
        (void)::unlink(path.c_str());
}

}  // namespace callcost::program
