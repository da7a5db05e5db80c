#include "history_page/history_site.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "history/entry_name.hpp"
#include "history_page/history_answers.hpp"
#include "text/json.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t most_opened = 4;  // profiles in memory besides the named one

std::string refusal(const char* id, std::string message, std::string hint = {}) {
    return engine::error_answer({.id = id, .message = std::move(message), .hint = std::move(hint)});
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
    if (answer.starts_with(R"({"error")") || !entry) return;
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

HistorySite::HistorySite(std::unique_ptr<Store> store, PageOptions options, const Console& console,
                         LiveProfile* named)
    : store_(std::move(store)), options_(std::move(options)), console_(console), named_(named) {}

std::string HistorySite::answer(std::string_view text, const IsWanted& is_wanted) {
    engine::Question question(text);
    const auto ask = question.text("ask");
    if (question.error()) return engine::error_answer(*question.error());
    if (is_history_question(ask)) {
        const std::lock_guard lock(mutex_);
        return answer_about_history(*store_, store_name(options_.input.store), question);
    }
    if (!question.has("entry")) {
        if (named_ == nullptr)
            return refusal("no-profile", "no entry is chosen", "choose one of the history");
        auto answer = named_->answer(text, is_wanted);
        if (ask == "profile" || ask == "reload") {
            const std::lock_guard lock(mutex_);
            if (!named_entries_ || ask == "reload")
                named_entries_.emplace(entry_named(*store_, options_.input.files),
                                       entry_named(*store_, options_.before));
            add_entries(answer, named_entries_->first, named_entries_->second);
        }
        return answer;
    }
    std::unique_lock lock(mutex_);
    auto found = opened(question);
    lock.unlock();
    if (question.error()) return engine::error_answer(*question.error());
    if (!found) return refusal("no-such-entry", found.error().text, found.error().advice);
    auto answer = (*found)->profile->answer(text, is_wanted);
    if (ask == "profile" || ask == "reload") add_entries(answer, (*found)->entry, (*found)->before);
    return answer;
}

/// Those that the question names, being read if they were not yet.
Stored<std::shared_ptr<HistorySite::Opened>> HistorySite::opened(engine::Question& question) {
    const EntryId id = question.integer("entry", 0), id_before = question.integer("entry_before", 0);
    const auto is_meant = [&](const auto& one) {
        return one->entry.id == id && (one->before ? one->before->id : 0) == id_before;
    };
    if (const auto known = std::find_if(opened_.begin(), opened_.end(), is_meant); known != opened_.end()) {
        opened_.splice(opened_.begin(), opened_, known);
        return opened_.front();
    }
    const auto series = series_named(*store_, question.text("series"));
    if (!series) return tl::unexpected(series.error());
    const auto entry_of = [&](EntryId wanted) {
        EntryName name{*series, {}};
        name.choice.id = wanted;
        return find_entry(*store_, name);
    };
    auto entry = entry_of(id);
    if (!entry) return tl::unexpected(entry.error());
    const auto one = std::make_shared<Opened>();
    auto options = options_;
    options.input.files = {exact_name(*entry)};
    options.before.clear();
    one->entry = *std::move(entry);
    if (id_before != 0) {
        auto before = entry_of(id_before);
        if (!before) return tl::unexpected(before.error());
        options.before = {exact_name(*before)};
        one->before = *std::move(before);
    }
    one->profile = std::make_unique<LiveProfile>(options, console_);
    opened_.push_front(one);
    if (opened_.size() > most_opened) opened_.pop_back();
    std::thread([one] {
        try {
            if (one->profile->read()) return;
            one->profile->give_up("the profile of the entry cannot be read",
                                  "see the messages of 'callcost view' in its terminal");
        } catch (const std::bad_alloc&) {
            one->profile->give_up("not enough memory to read the profile of the entry", "");
        }
    }).detach();
    return one;
}

}  // namespace callcost::program
