#include "history_page/history_site.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "history/entry_name.hpp"
#include "history_page/history_answers.hpp"
#include "text/json.hpp"
#include "text/utf8.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t max_opened = 4;  // profiles in memory besides the named one
constexpr std::ptrdiff_t max_readers = 2;

std::string refusal(const char* id, std::string message, std::string hint = {}) {
    return engine::error_answer({.id = id, .message = std::move(message), .hint = std::move(hint)});
}

bool has_entry(const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), is_entry_name);
}

/// The entry that the only name is of.
std::optional<Entry> entry_named(Store& store, const std::vector<std::string>& names) {
    if (names.size() != 1 || !is_entry_name(names.front())) return std::nullopt;
    const auto name = parse_entry_name(names.front());
    if (!name) return std::nullopt;
    auto entry = find_entry(store, *name);
    return entry ? std::optional(*std::move(entry)) : std::nullopt;
}

/// Puts what they are in front of the other members.
void add_entries(std::string& answer, const std::optional<Entry>& entry, const std::optional<Entry>& before) {
    if (answer.empty() || answer.starts_with(R"({"error")") || !entry) return;
    std::string text;
    engine::JsonWriter json(text, engine::page_json);
    json.begin_object();
    json.key("entry");
    write_page_entry(json, *entry);
    if (before) {
        json.key("entry_before");
        write_page_entry(json, *before);
    }
    json.end_object();
    text.back() = ',';
    answer.replace(0, 1, text);
}

}  // namespace

HistorySite::HistorySite(PageOptions options, const Console& console, LiveProfile* named)
    : options_(std::move(options)), console_(console), named_(named), readers_(max_readers) {}

std::string HistorySite::answer(std::string_view text, const IsWanted& is_wanted) {
    engine::Question question(text);
    const auto ask = question.text("ask");
    if (question.error()) return engine::error_answer(*question.error());
    if (is_history_question(ask)) {
        const auto store = open_store(options_.input.store, StoreUse::read);
        if (!store) return refusal("no-store", store.error().text, store.error().advice);
        return answer_about_history(**store, store_name(options_.input.store), question);
    }
    if (!question.has("entry")) return answer_about_named(text, ask, is_wanted);
    const auto found = opened(question);
    if (question.error()) return engine::error_answer(*question.error());
    if (!found) return engine::error_answer(found.error());
    auto answer = (*found)->profile->answer(text, is_wanted);
    if (ask == "profile" || ask == "reload") add_entries(answer, (*found)->entry, (*found)->before);
    return answer;
}

std::string HistorySite::answer_about_named(std::string_view text, std::string_view ask,
                                            const IsWanted& is_wanted) {
    if (named_ == nullptr) return refusal("no-profile", "no entry is chosen", "choose one of the history");
    auto answer = named_->answer(text, is_wanted);
    if (ask != "profile" && ask != "reload") return answer;
    const std::lock_guard lock(mutex_);
    if (!named_entries_) {
        named_entries_.emplace();
        if (has_entry(options_.input.files) || has_entry(options_.before))
            if (const auto store = open_store(options_.input.store, StoreUse::read))
                named_entries_ = {entry_named(**store, options_.input.files),
                                  entry_named(**store, options_.before)};
    }
    add_entries(answer, named_entries_->first, named_entries_->second);
    return answer;
}

std::shared_ptr<HistorySite::OpenProfile> HistorySite::known(EntryId id, EntryId before,
                                                             std::string_view series) {
    const auto found = std::find_if(opened_.begin(), opened_.end(), [&](const auto& one) {
        return one->entry.id == id && (one->before ? one->before->id : 0) == before &&
               engine::is_text(one->entry.facts.series, series);
    });
    if (found == opened_.end()) return nullptr;
    opened_.splice(opened_.begin(), opened_, found);
    return opened_.front();
}

/// Those that the question names, being read if they were not yet.
HistorySite::Found HistorySite::opened(engine::Question& question) {
    const EntryId id = question.integer("entry", 0), id_before = question.integer("entry_before", 0);
    const auto text = question.text("series");
    {
        const std::lock_guard lock(mutex_);
        if (auto one = known(id, id_before, text)) return one;
    }
    const auto failed = [](const char* kind, const StoreProblem& problem) {
        return tl::unexpected(
            engine::QueryError{.id = kind, .message = problem.text, .hint = problem.advice});
    };
    const auto store = open_store(options_.input.store, StoreUse::read);
    if (!store) return failed("no-store", store.error());
    const auto series = series_named(**store, text);
    if (!series) return failed("no-such-entry", series.error());
    const auto entry_of = [&](EntryId wanted) {
        EntryName name{*series, {}};
        name.choice.id = wanted;
        return find_entry(**store, name);
    };
    auto entry = entry_of(id);
    if (!entry) return failed("no-such-entry", entry.error());
    auto one = std::make_shared<OpenProfile>();
    auto options = options_;
    options.input.files = {exact_name(*entry)};
    options.before.clear();
    one->entry = *std::move(entry);
    if (id_before != 0) {
        auto before = entry_of(id_before);
        if (!before) return failed("no-such-entry", before.error());
        options.before = {exact_name(*before)};
        one->before = *std::move(before);
    }
    one->profile = std::make_unique<LiveProfile>(options, console_);
    const std::lock_guard lock(mutex_);
    if (auto other = known(id, id_before, text)) return other;  // opened meanwhile
    try {
        std::thread([this, one] { read(one); }).detach();
    } catch (const std::system_error&) {
        return tl::unexpected(
            engine::QueryError{.id = "too-large", .message = "the system starts no more threads"});
    }
    opened_.push_front(one);
    if (opened_.size() > max_opened) opened_.pop_back();
    return one;
}

void HistorySite::read(const std::shared_ptr<OpenProfile>& one) {
    readers_.acquire();
    const char* problem = nullptr;
    try {
        if (!one->profile->read()) problem = "the profile of the entry cannot be read";
    } catch (const std::bad_alloc&) {
        problem = "not enough memory to read the profile of the entry";
    }
    readers_.release();
    if (problem == nullptr) return;
    one->profile->give_up(problem, "see the messages of 'callcost view' in its terminal");
    const std::lock_guard lock(mutex_);
    opened_.remove(one);  // whoever asks again may have better luck
}

void name_entries_exactly(Store& store, PageOptions& options) {
    for (auto* names : {&options.input.files, &options.before})
        for (auto& file : *names)
            if (const auto entry = entry_named(store, {file})) file = exact_name(*entry);
}

}  // namespace callcost::program
