#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "session/answers.hpp"
#include "text/characters.hpp"

namespace callcost::engine {
namespace {

struct Kind {
    std::string_view name;
    void (*answer)(Request&, JsonWriter&);
};
constexpr std::array<Kind, 18> kinds = {{{"profile", answer_profile},
                                         {"summary", answer_summary},
                                         {"functions", answer_functions},
                                         {"groups", answer_groups},
                                         {"find", answer_find},
                                         {"function", answer_function},
                                         {"tree", answer_tree},
                                         {"call_tree", answer_call_tree},
                                         {"graph", answer_graph},
                                         {"source", answer_source},
                                         {"files", answer_files},
                                         {"lines", answer_lines},
                                         {"instructions", answer_instructions},
                                         {"parts", answer_parts},
                                         {"difference", answer_difference},
                                         {"changed_lines", answer_changed_lines},
                                         {"search", answer_search},
                                         {"export", answer_export}}};

/// Stands in where regular expressions are not available: refuses every pattern.
tl::expected<Host::Matcher, std::string> no_expressions(std::string_view /*expression*/) {
    return tl::unexpected(std::string("regular expressions are not available here"));
}

}  // namespace

Search::Search(Question& question, const char* member, const Host& host) {
    const auto text = question.text(member);
    if (text.size() > 2 && text.front() == '/' && text.back() == '/') {
        auto compiled = host.compile(text.substr(1, text.size() - 2));
        if (compiled) {
            expression_ = *std::move(compiled);
        } else {
            question.refuse({.id = "bad-pattern", .message = compiled.error(), .member = member});
        }
    } else {
        piece_.reserve(text.size());
        for (const char c : text) piece_ += lower(c);
    }
}

bool Search::finds(std::string_view name) const {
    if (expression_) return expression_(name);
    return piece_.empty() || std::search(name.begin(), name.end(), piece_.begin(), piece_.end(),
                                         [](char a, char b) { return lower(a) == b; }) != name.end();
}

std::optional<View> Request::view() const {
    const auto query = question.query();
    if (question.error()) return std::nullopt;
    auto view = resolve(query, profiles, host.compile);
    if (view) return *std::move(view);
    question.refuse(std::move(view).error());
    return std::nullopt;
}

std::optional<FunctionAt> Request::function(const char* member, const View& view) const {
    const auto id = question.integer(member, INT64_MAX);
    if (question.error()) return std::nullopt;
    const auto function = find_function(view, id);
    if (!function)
        question.refuse({.id = "unknown-function",
                         .message = "no such function in the selected parts",
                         .member = member});
    return function;
}

struct Session::State {
    Profiles profiles;
    Host host;
    Recent<RowList> lists{8};
    Recent<CallPaths> paths{4};
};

Session::Session(Profile profile, std::optional<Profile> before, Host host)
    : state_(std::make_unique<State>(State{
          {LoadedProfile(std::move(profile), std::move(host.stacks)), std::nullopt}, std::move(host)})) {
    if (before) state_->profiles.before.emplace(*std::move(before), std::move(state_->host.stacks_before));
    if (!state_->host.compile) state_->host.compile = no_expressions;
}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::string Session::answer(std::string_view question_text) {
    Question question(question_text);
    const auto asked_for = question.text("ask");
    std::string text;
    if (!question.error()) {
        const auto* kind =
            std::find_if(kinds.begin(), kinds.end(), [&](const Kind& of) { return of.name == asked_for; });
        if (kind == kinds.end()) {
            question.refuse({.id = "unknown-question",
                             .message = "unknown question '" + std::string(asked_for) + "'",
                             .member = "ask"});
        } else {
            Request request{question, state_->profiles, state_->host, state_->lists, state_->paths};
            JsonWriter json(text, page_json);
            kind->answer(request, json);
            if (json.is_full()) {
                question.refuse({.id = "too-large",
                                 .message = "the answer is larger than 128 MB",
                                 .hint = "request fewer rows; the callcost commands have no such limit"});
            }
        }
    }
    return question.error() ? error_answer(*question.error()) : text;
}

}  // namespace callcost::engine
