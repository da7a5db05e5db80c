#include "session/view.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace callcost::engine {
namespace {

constexpr std::size_t max_columns = 64;

std::string list_text(std::span<const std::uint64_t> numbers) {
    std::string text = "[";
    for (const auto number : numbers) text.append(std::to_string(number)).append(",");
    return text + "]";
}

/// Texts with their lengths, so that no two lists look alike.
std::string list_text(std::span<const std::string> texts) {
    std::string text = "[";
    for (const auto& one : texts) text.append(std::to_string(one.size())).append(":").append(one);
    return text + "]";
}

std::string key_of(const Selection& selection) {
    return list_text(selection.parts) + list_text(selection.threads) + list_text(selection.pids) +
           list_text(selection.rows) + (selection.contexts == Contexts::fold ? "fold" : "keep");
}

/// Rows are those of one profile: the other has other parts.
Selection selection_of(Question& question, const char* rows) {
    return {.parts = question.numbers("parts"),
            .threads = question.numbers("threads"),
            .pids = question.numbers("pids"),
            .rows = question.numbers(rows),
            .contexts = contexts_of(question)};
}

/// Of the old profile, the parts that those of the new one are the same as; all if it has none of them.
void add_same_parts(Selection& selection, const Selection& after, const Profiles& profiles) {
    if (after.rows.empty()) return;
    const auto same = match_parts(profiles.before->profile, profiles.after.profile);
    for (const auto wanted : after.rows) {
        if (wanted >= same.size()) continue;
        const auto row = same[static_cast<std::size_t>(wanted)];
        if (row) selection.rows.push_back(*row);
    }
}

std::shared_ptr<const GraphView> select(Question& question, LoadedProfile& loaded,
                                        const Selection& selection) {
    return loaded.selections.get(key_of(selection), [&]() -> std::shared_ptr<const GraphView> {
        auto graph = call_graph(loaded.profile, selection);
        if (graph) return std::make_shared<GraphView>(*std::move(graph));
        const bool needs_detail = graph.error().code == ErrorCode::needs_detail;
        question.refuse({.id = needs_detail ? "needs-detail" : "no-such-part",
                         .message = needs_detail
                                        ? "parts are not available: the profile was read without lines"
                                        : "no part matches parts, threads, pids and part_rows",
                         .hint = graph.error().detail.empty() ? "" : "available: " + graph.error().detail,
                         .member = "parts"});
        return nullptr;
    });
}

/// What the filters of a question want.
struct FilterTexts {
    std::vector<std::string> focus, ignore, show, hide, file, object;

    [[nodiscard]] bool any() const {
        return !(focus.empty() && ignore.empty() && show.empty() && hide.empty() && file.empty() &&
                 object.empty());
    }
    [[nodiscard]] std::string key() const {
        return list_text(focus) + list_text(ignore) + list_text(show) + list_text(hide) + list_text(file) +
               list_text(object);
    }
};

using Patterns = std::vector<NamePattern>;

Patterns patterns(Question& question, const char* member, const std::vector<std::string>& texts,
                  NameScope usual, const NamePattern::Compile& compile) {
    Patterns result;
    result.reserve(texts.size());
    for (const auto& text : texts) {
        if (auto pattern = NamePattern::parse(text, usual, compile)) {
            result.push_back(*std::move(pattern));
        } else {
            question.refuse({.id = "bad-pattern",
                             .message = "invalid pattern '" + text + "': " + pattern.error(),
                             .member = member});
        }
    }
    return result;
}

std::shared_ptr<const FilteredFunctions> filter_by(Question& question, const FilterTexts& wanted,
                                                   const Side& side, const NamePattern::Compile& compile) {
    const auto parse = [&](const char* member, const std::vector<std::string>& texts, NameScope usual) {
        return patterns(question, member, texts, usual, compile);
    };
    const FilterPatterns all = {.focus = parse("focus", wanted.focus, NameScope::any),
                                .ignore = parse("ignore", wanted.ignore, NameScope::any),
                                .show = parse("show", wanted.show, NameScope::any),
                                .hide = parse("hide", wanted.hide, NameScope::any),
                                .file = parse("file", wanted.file, NameScope::file),
                                .object = parse("object", wanted.object, NameScope::object)};
    if (question.error()) return nullptr;
    return std::make_shared<const FilteredFunctions>(side.graph(), all, *side.stacks);
}

std::shared_ptr<const Comparison> compare(const Diff& diff) {
    Comparison compared{diff, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    const auto functions = diff.functions();
    compared.match_after.resize(diff.after().size());
    compared.match_before.resize(diff.before().size());
    for (const auto& function : functions) {
        for (const auto node : function.after) compared.match_after[node.value] = function.id;
        for (const auto node : function.before) compared.match_before[node.value] = function.id;
    }
    const auto arcs = diff.arcs();
    compared.arc_after.assign(diff.after().arc_count(), Comparison::none);
    compared.arc_before.assign(diff.before().arc_count(), Comparison::none);
    for (std::size_t row = 0; row < arcs.size(); ++row) {
        for (const auto arc : arcs[row].after) compared.arc_after[arc.value] = row;
        for (const auto arc : arcs[row].before) compared.arc_before[arc.value] = row;
    }
    const auto group = [&](MatchId ArcMatch::*end, std::vector<std::size_t>& rows,
                           std::vector<std::size_t>& first) {
        first.assign(functions.size() + 1, 0);
        for (const auto& arc : arcs) ++first[(arc.*end).value + 1];
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        rows.resize(arcs.size());
        auto next = first;
        for (std::size_t row = 0; row < arcs.size(); ++row) rows[next[(arcs[row].*end).value]++] = row;
    };
    group(&ArcMatch::caller, compared.arcs_out, compared.first_out);
    group(&ArcMatch::callee, compared.arcs_in, compared.first_in);
    return std::make_shared<const Comparison>(std::move(compared));
}

enum class SideOf : std::uint8_t { one, after, before };  // of one profile, or of two that are compared

Measure column_of(Question& question, const Profiles& profiles, SideOf which, const std::string& text) {
    const auto& after = profiles.after.measures;
    if (which == SideOf::before) {
        if (auto same = measure_before(profiles, text)) return *std::move(same);
        if (after.find(text)) return missing_measure(text);
        return find_measure(question, "columns", profiles.before->measures, text);
    }
    if (which == SideOf::after && !after.find(text) && profiles.before->measures.find(text))
        return missing_measure(text);
    return find_measure(question, "columns", after, text);
}

/// `columns`, or else `event` alone. A column that only the other profile has is one without costs.
std::vector<Measure> columns_of(Question& question, const Profiles& profiles, SideOf which,
                                const Measure& measure) {
    const auto texts = question.texts("columns");
    if (texts.empty()) return {measure};
    if (texts.size() > max_columns) {
        question.refuse({.message = "more than 64 columns", .member = "columns"});
        return {measure};
    }
    std::vector<Measure> columns;
    columns.reserve(texts.size());
    for (const auto& text : texts) columns.push_back(column_of(question, profiles, which, text));
    return columns;
}

/// `event` is what to measure by, or empty: by what is usual.
Side side_of(Question& question, Profiles& profiles, SideOf which, const Selection& selection,
             std::string_view event, const Host& host) {
    auto& loaded = which == SideOf::before ? *profiles.before : profiles.after;
    Side side;
    side.stacks = &loaded.stacks;
    side.selected = select(question, loaded, selection);
    if (!side.selected) return side;
    side.measure = event.empty() ? default_measure(side.graph())
                                 : find_measure(question, "event", loaded.measures, event);
    side.columns = columns_of(question, profiles, which, side.measure);
    side.has_cycles = question.flag("cycles", true);
    // These questions name one file, one object by the same words.
    const auto ask = question.text("ask");
    const bool names_one = ask == "find" || ask == "source";
    const auto patterns_of = [&](const char* member) {
        return names_one ? std::vector<std::string>() : question.texts(member);
    };
    const FilterTexts wanted = {question.texts("focus"), question.texts("ignore"), question.texts("show"),
                                question.texts("hide"),  patterns_of("file"),      patterns_of("object")};
    if (!question.error() && wanted.any()) {
        side.filtered = loaded.filters.get(key_of(selection) + wanted.key(),
                                           [&] { return filter_by(question, wanted, side, host.compile); });
    }
    return side;
}

}  // namespace

LoadedProfile::LoadedProfile(Profile of, StacksOfSources recorded)
    : profile(std::move(of)), stacks(std::move(recorded)), measures(profile) {}

BoundedCost Side::inclusive_bounds(NodeId node, const Measure& by) const {
    if (has_cycles || !graph().cycle(node).valid()) return graph().inclusive_bounds(node, by);
    const auto flow = conservation(graph(), node, by);
    const Cost cost = flow.self + flow.out;
    return {cost, cost, cost};
}

bool is_counted_again(const Side& side, std::span<const ArcId> arcs) {
    return std::any_of(arcs.begin(), arcs.end(), [&](ArcId arc) { return side.graph().counted_again(arc); });
}

const FilteredCosts* Side::kept(const Measure& by) const { return filtered ? &filtered->costs(by) : nullptr; }

Measure missing_measure(std::string name) { return {std::move(name), {}, {}, {}, false, {}}; }

std::optional<Measure> measure_before(const Profiles& profiles, std::string_view text) {
    const auto terms_of = [](const Profile& profile, const Measure& measure) {
        std::map<std::string_view, std::int64_t> terms;
        for (const auto& [event, factor] : measure.terms) terms[profile.events()[event.value].name] = factor;
        return terms;
    };
    auto before = profiles.before->measures.find(text);
    if (!before) return std::nullopt;
    const auto after = profiles.after.measures.find(text);
    if (after && terms_of(profiles.after.profile, *after) != terms_of(profiles.before->profile, *before))
        return std::nullopt;
    return *std::move(before);
}

Measure find_measure(Question& question, const char* member, const Measures& measures,
                     std::string_view text) {
    auto found = measures.find(text);
    if (found) return *std::move(found);
    const auto& error = found.error();
    if (error.code == ErrorCode::unknown_event) {
        question.refuse(
            {.id = "unknown-event", .message = error.message(), .member = member, .column = error.column});
    } else {
        question.refuse({.id = "bad-formula",
                         .message = error.code == ErrorCode::formula_cycle ? "the formula refers to itself"
                                                                           : "invalid formula",
                         .hint = "use a sum of event types with integer factors, such as Ir + 10 Bcm",
                         .member = member,
                         .column = error.column});
    }
    return {};
}

Contexts contexts_of(Question& question) {
    constexpr std::array<std::string_view, 2> words = {"fold", "keep"};
    return question.word("contexts", words) == 0 ? Contexts::fold : Contexts::keep;
}

std::optional<View> resolve(Question& question, Profiles& profiles, const Host& host) {
    const auto selection = selection_of(question, "part_rows");
    auto selection_before = selection_of(question, "part_rows_before");
    const bool compares = question.flag("compare", false);
    if (compares && !profiles.before)
        question.refuse(
            {.id = "nothing-to-compare", .message = "no profile to compare with", .member = "compare"});
    if (question.error()) return std::nullopt;
    if (compares && !question.has("part_rows_before")) add_same_parts(selection_before, selection, profiles);

    View view;
    const auto wanted = question.text("event");
    view.after = side_of(question, profiles, compares ? SideOf::after : SideOf::one, selection, wanted, host);
    if (compares) {
        // Both by the same, whatever is usual in the one before.
        const auto same = wanted.empty() ? view.after.measure.name : std::string(wanted);
        if (!question.error() && !measure_before(profiles, same)) {
            const bool has_some = profiles.before->measures.find(same).has_value();
            question.refuse({.id = "unknown-event",
                             .message = has_some ? "'" + same + "' has a different formula in the old profile"
                                                 : "the old profile has no event type '" + same + "'",
                             .member = "event"});
        }
        if (!question.error())
            view.before = side_of(question, profiles, SideOf::before, selection_before, same, host);
        if (question.error()) return std::nullopt;
        view.compared = profiles.comparisons.get(
            key_of(selection) + key_of(selection_before) + same, [&]() -> std::shared_ptr<const Comparison> {
                // As it was written: a built-in formula spelled out may name what the profiles do not have.
                const auto found = diff(view.before->graph(), view.after.graph(), {.measure = same});
                if (found) return compare(*found);
                question.refuse({.id = "unknown-event",
                                 .message = "the old profile has no event type '" + same + "'",
                                 .member = "event"});
                return nullptr;
            });
    }
    if (question.error()) return std::nullopt;
    return view;
}

std::int64_t id_of(const CallGraph& graph, NodeId node, bool is_before) {
    const auto row = static_cast<std::int64_t>(graph.function(node).value);
    return is_before ? -1 - row : row;
}

std::optional<FunctionAt> find_function(Question& question, const char* member, const View& view) {
    const auto id = question.integer(member, INT64_MAX);
    if (question.error()) return std::nullopt;
    const bool is_before = id < 0;
    const auto row = is_before ? -1 - id : id;
    const auto* side = is_before ? (view.before ? &*view.before : nullptr) : &view.after;
    if (side != nullptr && row < static_cast<std::int64_t>(side->graph().profile().function_count())) {
        const auto node = side->graph().node_of(FunctionId(static_cast<std::size_t>(row)));
        if (node.valid()) return FunctionAt{node, is_before};
    }
    question.refuse(
        {.id = "unknown-function", .message = "no such function in the selected parts", .member = member});
    return std::nullopt;
}

}  // namespace callcost::engine
