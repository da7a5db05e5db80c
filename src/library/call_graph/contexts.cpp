// Callgrind's caller and recursion contexts: name['R]['caller1]['caller2]... (F72).
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "callcost/call_graph.hpp"
#include "profile/event_facts.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

/// A recursion level: 2 or more, without leading zeros.
std::optional<std::uint64_t> recursion_level(std::string_view text) {
    if (text.empty() || text.size() > 18 || text[0] == '0') return std::nullopt;
    std::uint64_t level = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        level = level * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (level < 2) return std::nullopt;
    return level;
}

/// Callgrind's names do, also where callcost wrote them, and those that callcost makes of stacks and of call
/// graphs.
bool has_contexts(const Part& part) {
    const std::string_view origin = origin_of(part.creator);
    return part.dialect == Dialect::callgrind || origin.starts_with("callgrind-") || origin == "stacks" ||
           origin == "calls";
}

/// What quotes may stand before: names of the profile, and what is before the first quote of one.
class KnownPieces {
  public:
    explicit KnownPieces(const NameTable& names) : whole_(names) {
        for (std::size_t row = 0; row < names.size(); ++row) {
            const std::size_t quote = names[row].find('\'');
            if (quote == std::string_view::npos) continue;
            beginnings_.intern(names[row].substr(0, quote));
            with_quotes_.push_back(static_cast<std::uint32_t>(row));
        }
    }
    [[nodiscard]] bool contains(std::string_view name) const {
        return !name.empty() && (beginnings_.find(name) != UINT32_MAX || whole_.find(name) != UINT32_MAX);
    }
    [[nodiscard]] bool any() const { return beginnings_.size() > 1; }
    [[nodiscard]] const std::vector<std::uint32_t>& with_quotes() const { return with_quotes_; }

  private:
    const NameTable& whole_;
    NameTable beginnings_{{}};
    std::vector<std::uint32_t> with_quotes_;  // rows of these names
};

/// A name that has a context.
struct SplitName {
    std::uint32_t size = 0;  // without its context
    std::size_t callers = 0;
    std::uint64_t recursion = 0;
};

// From the right, as long as the pieces fit: Rust and Ada have quotes in ordinary names, which stay whole.
SplitName split_name(std::string_view text, const std::vector<std::size_t>& quotes,
                     const KnownPieces& known) {
    SplitName name;
    std::size_t end = text.size();  // of the name
    for (auto quote = quotes.rbegin(); quote != quotes.rend() && *quote != 0; ++quote) {
        const std::string_view piece = text.substr(*quote + 1, end - *quote - 1);
        if (const auto level = recursion_level(piece)) {
            name.recursion = *level;
            end = *quote;
            break;
        }
        if (!known.contains(piece)) break;
        end = *quote;
        ++name.callers;
    }
    name.size = static_cast<std::uint32_t>(end);
    return name;
}

}  // namespace

struct NameContexts {
    std::vector<SplitName> names;   // the first one stands for those without context
    std::vector<std::uint32_t> of;  // by row of the name
};

namespace {

/// Null if no name has a quote.
std::shared_ptr<const NameContexts> contexts_of(const ProfileData& data) {
    if (std::none_of(data.parts.begin(), data.parts.end(), has_contexts)) return nullptr;
    const KnownPieces known(data.function_names);
    if (!known.any()) return nullptr;
    auto contexts = std::make_shared<NameContexts>();
    contexts->names.emplace_back();
    contexts->of.assign(data.function_names.size(), 0);
    std::vector<std::size_t> quotes;
    for (const std::uint32_t row : known.with_quotes()) {
        const std::string_view text = data.function_names[row];
        quotes.clear();
        for (auto at = text.find('\''); at != std::string_view::npos; at = text.find('\'', at + 1))
            quotes.push_back(at);
        const SplitName name = split_name(text, quotes, known);
        if (name.size == text.size()) continue;
        contexts->of[row] = static_cast<std::uint32_t>(contexts->names.size());
        contexts->names.push_back(name);
    }
    return contexts;
}

}  // namespace

ContextNames::ContextNames(const Profile& profile) : profile_(profile) {
    const ProfileData& data = ProfileAccess::data(profile);
    known_ = data.contexts.get([&] { return contexts_of(data); });
}

ContextName ContextNames::split(FunctionId function) const {
    const std::string_view text = profile_.name(function);
    const ContextName whole{.name = text, .recursion = 0, .context = {}};
    if (!known_) return whole;
    const std::uint32_t of = known_->of[ProfileAccess::data(profile_).functions[function.value].name];
    if (of == 0) return whole;
    const SplitName& name = known_->names[of];
    return {.name = text.substr(0, name.size),
            .recursion = name.recursion,
            .context = text.substr(name.size),
            .callers = name.callers};
}

ContextName context_of(const Profile& profile, FunctionId function) {
    return ContextNames(profile).split(function);
}

}  // namespace callcost
