#include "merge/copied_profile.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace callcost {
namespace {

void copy_names(const NameTable& from, NameTable& to) {
    for (std::size_t row = to.size(); row < from.size(); ++row)
        if (to.intern(from[row]) != row) to.add(from[row]);
}

/// Parts share what their views refer to; so do their copies.
class PartCopies {
  public:
    explicit PartCopies(ProfileData& to) : to_(to) {}

    Part copy(const Part& from) {
        Part part = from;
        for (std::string_view* text : {&part.version, &part.creator, &part.command, &part.pid.text,
                                       &part.part.text, &part.thread.text})
            *text = copy(*text);
        part.positions = copy(part.positions, positions_, to_.position_lists);
        part.events = copy(part.events, events_, to_.event_lists);
        return part;
    }

  private:
    std::string_view copy(std::string_view text) {
        const auto [entry, is_new] = texts_.try_emplace({text.data(), text.size()});
        if (is_new) entry->second = to_.texts.emplace_back(text);
        return entry->second;
    }
    template <class T>
    using Copies = std::map<std::pair<const T*, std::size_t>, std::span<const T>>;
    template <class T>
    static std::span<const T> copy(std::span<const T> list, Copies<T>& copies,
                                   std::deque<std::vector<T>>& to) {
        const auto [entry, is_new] = copies.try_emplace({list.data(), list.size()});
        if (is_new) entry->second = to.emplace_back(list.begin(), list.end());
        return entry->second;
    }

    ProfileData& to_;
    std::map<std::pair<const char*, std::size_t>, std::string_view> texts_;
    Copies<std::string> positions_;
    Copies<EventId> events_;
};

}  // namespace

void copy_description(const ProfileData& from, ProfileData& to) {
    to.detail = from.detail;
    to.sources = from.sources;
    PartCopies copies(to);
    for (const Part& part : from.parts) to.parts.push_back(copies.copy(part));
    to.events = from.events;
    to.formulas = from.formulas;
    to.diagnostics = from.diagnostics;
    copy_names(from.object_names, to.object_names);
    copy_names(from.file_names, to.file_names);
    copy_names(from.function_names, to.function_names);
    from.functions.for_each([&](const FunctionData& function) { to.functions.push_back(function); });
    to.total = from.total;
    to.traces = from.traces;
    to.traced_links = from.traced_links;
}

}  // namespace callcost
